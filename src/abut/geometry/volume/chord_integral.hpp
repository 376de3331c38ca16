#pragma once

#include <vector>

#include "abut/geometry/moments/volume_metrics.hpp"
#include "abut/geometry/volume/event_quadrature.hpp"
#include "abut/geometry/volume/region.hpp"

namespace abut {

/// Integrates over any bounded region along chords: the planes z = t, in each the lines y = const, on each the exact
/// intervals inside the region. Needs nothing but the intersection of a line with each face, and is slower by two
/// orders than slices; for regions that no direction cuts into ellipses, and as an independent check.
///
/// Limit: what is thinner in z or y than about a tenth of the radius of the ball about the region may be missed.
class ChordIntegral : private EventQuadrature::Integrand {
 public:
  /// `side` is the solid whose surface makes up the area vector. The region's ball must be bounded.
  void calc(const Region& region, int side, const QuadratureOptions& options);

  const SliceSums& sums() const { return outer_.total(); }  ///< about origin()
  const Vec3& origin() const { return region_.center; }
  double relative_error() const { return outer_.relative_error(); }
  /// Points and weights whose weighted sum is the volume.
  void add_samples(int detail, std::vector<VolumeSample>& samples);

 private:
  struct End {
    double x = 0.0;
    int face = -1;  ///< index of a plane, or number of planes + index of a quadric
  };
  struct Chord {
    End from, to;
  };
  class Inner : public EventQuadrature::Integrand {
   public:
    explicit Inner(ChordIntegral& owner) : owner_(owner) {}
    std::uint64_t calc(double y, SliceSums& sums) override { return owner_.calc_line(y, sums); }

   private:
    ChordIntegral& owner_;
  };

  std::uint64_t calc(double t, SliceSums& sums) override;
  std::uint64_t calc_line(double y, SliceSums& sums);
  void find_chords(double y);
  void cut_out(const End& from, const End& to);
  void add_end(const End& end, double y, double sign, SliceSums& sums) const;
  std::vector<double> make_breaks(double center) const;

  Region region_;
  std::vector<QuadraticForm> forms_;
  int side_ = 0;
  double t_ = 0.0;
  QuadratureOptions inner_options_;
  EventQuadrature outer_, inner_;
  std::vector<Chord> chords_, next_;
};

}  // namespace abut
