#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "abut/scene/record.hpp"
#include "abut/sim/model.hpp"

namespace abut {

/// Looks at samples whether a body turned on its face while contact was taken at the corners or the rim of the face:
/// all friction has the greatest arm there. Points at the rim of a disc brake its spin with mu N R, a disc whose
/// pressure is even with 2/3 of that; a square of half diagonal R with 0.541 of it, (sqrt(2) + asinh(1)) / (3 sqrt(2)).
class FaceSpinWatch {
 public:
  explicit FaceSpinWatch(const Model& model);

  /// Samples come in the order of time.
  void look(const Sample& sample);
  /// One note for each pair that lost more than a part of the scene's energy this way, see calc_energy_scale() [J]; at
  /// most a few.
  std::vector<std::string> make_notes(double scale) const;

  template <class Archive>
  void visit(Archive& archive) {
    archive(last_time_, works_);
  }

 private:
  using Pair = std::pair<int, int>;  ///< bodies
  /// Friction of the points of one pair, at one instant.
  struct FaceFriction {
    Pair pair;
    int count = 0;
    double load = 0.0;              ///< sum of normal forces [N]
    Vec3 mean_slip = Vec3::Zero();  ///< times it [N m/s]
    double speed = 0.0;             ///< mean of the slips' sizes, times it [N m/s]
    double power = 0.0;             ///< [W]
  };
  FaceFriction& face_of(const Pair& pair);

  const Model& model_;
  bool has_friction_ = false;
  std::vector<unsigned char> has_one_shape_;  ///< of each body: then several points of a pair are of one face
  double last_time_ = 0.0;                    ///< [s]
  std::vector<FaceFriction> faces_;           ///< of one sample; kept, so that none is allocated
  std::map<Pair, double> works_;              ///< of friction against spin, by the rectangle rule [J]
};

}  // namespace abut
