#include <vector>

#include <gtest/gtest.h>

#include "abut/geometry/volume/volume_pair.hpp"

// Volumes computed independently (closed forms and spectral quadrature, 1e-12 or better): volume, centroid and inertia
// tensor of each interference. The names are the ids of the reference set.

namespace abut {
namespace {

struct Reference {
  const char* id;
  Shape a;
  Pose X_WA;
  Shape b;
  Pose X_WB;
  double volume;
  Vec3 centroid;
  std::vector<double> inertia;  ///< xx, yy, zz, xy, xz, yz
};

Pose at(const Vec3& p) { return {Mat3(Mat3::Identity()), p}; }

/// z along the given axis.
Pose along(const Vec3& axis, const Vec3& p) { return {Quat::FromTwoVectors(Vec3::UnitZ(), axis), p}; }

std::vector<Reference> make_references() {
  return {
      {"sphere_halfspace_1",
       Sphere{0.1},
       at(Vec3(0.0, 0.0, 0.09999000000000001)),
       HalfSpace{Vec3(0, 0, 1), 0.0},
       Pose(),
       3.141487933834674e-11,
       Vec3(0.0, 0.0, -3.3333611120370684e-06),
       {1.0471364657781513e-17, 1.0471364657781513e-17, 2.0942380259021096e-17, 0.0, 0.0, 0.0}},
      {"sphere_halfspace_3",
       Sphere{0.1},
       at(Vec3(0.0, 0.0, 0.07)),
       HalfSpace{Vec3(0, 0, 1), 0.0},
       Pose(),
       0.0002544690049407732,
       Vec3(0.0, 0.0, -0.010277777777777778),
       {2.3592968129377652e-07, 2.3592968129377652e-07, 4.4588624532399933e-07, 0.0, 0.0, 0.0}},
      {"sphere_halfspace_5",
       Sphere{0.1},
       at(Vec3(0.0, 0.0, -0.04999999999999999)),
       HalfSpace{Vec3(0, 0, 1), 0.0},
       Pose(),
       0.003534291735288517,
       Vec3(0.0, 0.0, -0.06250000000000001),
       {1.2259574456782066e-05, 1.2259574456782066e-05, 1.5020739874976202e-05, 0.0, 0.0, 0.0}},
      {"sphere_sphere_1",
       Sphere{0.1},
       at(Vec3(0.0, 0.0, 0.195)),
       Sphere{0.1},
       at(Vec3(0.0, 0.0, 0.0)),
       3.894265893512355e-06,
       Vec3(0.0, 0.0, 0.0975),
       {3.252141535703427e-10, 3.252141535703427e-10, 6.422879824263057e-10, 0.0, 0.0, 0.0}},
      {"sphere_sphere_3",
       Sphere{0.1},
       at(Vec3(0.08, 0.03, 0.05)),
       Sphere{0.07},
       at(Vec3(0.0, 0.0, 0.0)),
       0.0005434379331908025,
       Vec3(0.025979634760821615, 0.009742363035308108, 0.01623727172551351),
       {7.382271775179052e-07, 5.730853217278451e-07, 6.211265888667718e-07, 7.206190070838978e-08,
        1.2010316784731628e-07, 4.503868794274363e-08}},
      {"sphere_sphere_5",
       Sphere{0.1},
       at(Vec3(0.02, 0.01, 0.06)),
       Sphere{0.05},
       at(Vec3(0.0, 0.0, 0.0)),
       0.00047771913550104635,
       Vec3(0.0011302709625100726, 0.0005651354812550363, 0.003390812887530202),
       {4.418875767012493e-07, 4.376712566368304e-07, 4.868616573883833e-07, 2.8108800429458667e-09,
        1.6865280257675253e-08, 8.432640128837627e-09}},
      {"sphere_edge_1",
       Sphere{0.1},
       at(Vec3(0.0, 0.28, 0.0975)),
       Box{Vec3(1.0, 1.0, 0.25)},
       at(Vec3(0.0, -0.7, -0.25)),
       1.941503178788237e-06,
       Vec3(0.0, 0.27994014314077637, -0.0008371052514910433),
       {1.588392731102419e-10, 1.6117047486157352e-10, 3.18660916555729e-10, 0.0, 0.0, 8.134855420440984e-14}},
      {"sphere_edge_3",
       Sphere{0.1},
       at(Vec3(0.0, 0.3, 0.0967)),
       Box{Vec3(1.0, 1.0, 0.25)},
       at(Vec3(0.0, -0.7, -0.25)),
       1.691780630680975e-06,
       Vec3(0.0, 0.29133570407569864, -0.0011030586450960788),
       {5.75631039175352e-11, 1.8456511623517824e-10, 2.4007664363410727e-10, 0.0, 0.0, 2.293270031411056e-12}},
      {"sphere_edge_5",
       Sphere{0.1},
       at(Vec3(0.0, 0.3273, 0.0904763589)),
       Box{Vec3(1.0, 1.0, 0.25)},
       at(Vec3(0.0, -0.7, -0.25)),
       1.694071320275614e-06,
       Vec3(0.0, 0.29539834899017864, -0.0016965761602048659),
       {2.1458260666012897e-11, 2.7014837870716505e-10, 2.863744303981972e-10, 0.0, 0.0, 2.647880784380925e-12}},
      {"sphere_edge_7",
       Sphere{0.1},
       at(Vec3(0.0, 0.3696500179468749, 0.06965001794687495)),
       Box{Vec3(1.0, 1.0, 0.25)},
       at(Vec3(0.0, -0.7, -0.25)),
       4.132586971559186e-08,
       Vec3(0.0, 0.29939511890057324, -0.0006048810994267531),
       {1.6707855095958252e-14, 1.7728862526803556e-12, 1.7728862526803556e-12, 0.0, 0.0, 3.319730777135056e-15}},
      {"sphere_edge_9",
       Sphere{0.1},
       at(Vec3(0.0, 0.38, -0.03)),
       Box{Vec3(1.0, 1.0, 0.25)},
       at(Vec3(0.0, -0.7, -0.25)),
       0.0001020728934422113,
       Vec3(0.0, 0.29290261730472655, -0.035856546731903194),
       {4.644350501125322e-08, 1.0954123766145806e-07, 6.787835755029414e-08, 0.0, 0.0, 1.5597496414499924e-09}},
      {"cylinder_lying_2",
       Cylinder{0.05, 0.05},
       along(Vec3(0.7071067811865475, 0.7071067811865475, 0.0), Vec3(0.3, 0.0, 0.03)),
       HalfSpace{Vec3(0, 0, 1), 0.0},
       Pose(),
       0.00011182380450040292,
       Vec3(0.3, 0.0, -0.008155262966851505),
       {6.863227993572948e-08, 6.863227993572948e-08, 1.3107638156308758e-07, -2.764831296879204e-08,
        -4.679240163218304e-24, -4.679240163218304e-24}},
      {"cylinder_tilted_1",
       Cylinder{0.05, 0.1},
       along(Vec3(0.49999999999999994, 0.0, 0.8660254037844387), Vec3(0.0, 0.0, 0.10660254037844386)),
       HalfSpace{Vec3(0, 0, 1), 0.0},
       Pose(),
       9.52563927952767e-07,
       Vec3(-0.009556711538051252, 0.0, -0.001435690063037079),
       {1.2878394176161635e-10, 6.615676025227261e-12, 1.3322920811736992e-10, 0.0, 8.655423279162031e-13, 0.0}},
      {"cylinder_tilted_3",
       Cylinder{0.05, 0.1},
       along(Vec3(0.9961946980917455, 0.0, 0.08715574274765812), Vec3(0.0, 0.0, 0.04)),
       HalfSpace{Vec3(0, 0, 1), 0.0},
       Pose(),
       8.710853681100237e-05,
       Vec3(-0.03499020792603419, 0.0, -0.005348494719305617),
       {2.1887331903479037e-08, 1.8034803640442093e-07, 1.995004179161547e-07, 0.0, -6.277708823772309e-09, 0.0}},
      {"cone_tip_2",
       Cone{0.2617993877991494},
       along(Vec3(-0.0, -0.0, -1.0), Vec3(0.1, 0.0, -0.01)),
       HalfSpace{Vec3(0, 0, 1), 0.0},
       Pose(),
       7.518540143931265e-08,
       Vec3(0.1, 0.0, -0.0025000000000000005),
       {3.629162897041483e-13, 3.629162897041486e-13, 1.6194206861345158e-13, 0.0, 0.0, 0.0}},
      {"cone_tip_4",
       Cone{0.7853981633974483},
       along(Vec3(-0.3420201433256688, -0.0, -0.9396926207859084), Vec3(0.0, 0.0, -0.01)),
       HalfSpace{Vec3(0, 0, 1), 0.0},
       Pose(),
       1.5618800157428236e-06,
       Vec3(0.0062932472338295955, 0.0, -0.0025000000000000005),
       {3.644039342323202e-11, 4.990464919971743e-11, 7.463094250487826e-11, 0.0, -4.914648544323611e-12, 0.0}},
      {"sphere_groove_1",
       Sphere{0.1},
       at(Vec3(0.0, 0.0, 0.09950000000000003)),
       Bore{1.0},
       along(Vec3(0.0, 1.0, 0.0), Vec3(0.0, 0.0, 1.0)),
       8.263438511722631e-08,
       Vec3(0.0, -7.799487795963637e-20, -0.00015750840073810665),
       {1.375561966092105e-12, 1.5275990437286312e-12, 2.9007200406434348e-12, 0.0, 0.0, 3.343417936075826e-30}},
      {"sphere_groove_3",
       Sphere{0.1},
       at(Vec3(0.3518784141100966, 0.2, 0.16772928581899305)),
       Bore{1.0},
       along(Vec3(0.0, 1.0, 0.0), Vec3(0.0, 0.0, 1.0)),
       4.23440090284035e-06,
       Vec3(0.3898617346699109, 0.2, 0.07789028444338783),
       {5.872474468846289e-10, 5.575447878153886e-10, 9.711711160590813e-10, 1.1634577962495979e-27,
        -1.9765130637313236e-10, -2.751836464458844e-27}},
  };
}

Mat3 make_matrix(const std::vector<double>& m) {
  Mat3 matrix;
  matrix << m[0], m[3], m[4], m[3], m[1], m[5], m[4], m[5], m[2];
  return matrix;
}

/// Measured: 1e-11 in the volume, 6e-11 in the inertia (cylinder_tilted_3, where the default bound stops), 4e-13 and
/// better elsewhere; sphere_halfspace_1 is 1e-5 m deep, and its depth has lost four digits in the poses.
TEST(VolumeReference, MatchesIndependentVolumes) {
  for (const Reference& reference : make_references()) {
    VolumePair pair = VolumePair::make(make_solid(reference.a), make_solid(reference.b));
    std::vector<VolumeMetrics> pieces;
    pair.calc(reference.X_WA, reference.X_WB, pieces);
    ASSERT_EQ(pieces.size(), 1u) << reference.id;
    const Mat3 inertia = make_matrix(reference.inertia);
    EXPECT_NEAR(pieces[0].volume / reference.volume, 1.0, 1e-10) << reference.id;
    EXPECT_LT((pieces[0].centroid - reference.centroid).norm(), 1e-10 * std::cbrt(reference.volume)) << reference.id;
    EXPECT_LT((pieces[0].inertia - inertia).norm(), 2e-10 * inertia.norm()) << reference.id;
    EXPECT_LE(pair.estimated_error(), 1e-6) << reference.id;
  }
}

/// Exchanging the solids changes nothing but the sign of the area vector.
TEST(VolumeReference, DoesNotDependOnTheOrder) {
  for (const Reference& reference : make_references()) {
    VolumePair pair = VolumePair::make(make_solid(reference.a), make_solid(reference.b));
    VolumePair swapped = VolumePair::make(make_solid(reference.b), make_solid(reference.a));
    std::vector<VolumeMetrics> pieces, mirrored;
    pair.calc(reference.X_WA, reference.X_WB, pieces);
    swapped.calc(reference.X_WB, reference.X_WA, mirrored);
    ASSERT_EQ(mirrored.size(), 1u) << reference.id;
    EXPECT_NEAR(mirrored[0].volume / pieces[0].volume, 1.0, 1e-10) << reference.id;
    EXPECT_LT((mirrored[0].area_vector + pieces[0].area_vector).norm(), 1e-8 * pieces[0].area()) << reference.id;
  }
}

/// The normal that the area vector gives is the plane's, and its length the area of the cut.
TEST(VolumeReference, AreaVectorOfAHalfSpaceIsTheFlatCut) {
  for (const Reference& reference : make_references()) {
    if (!std::holds_alternative<HalfSpace>(reference.b)) continue;
    VolumePair pair = VolumePair::make(make_solid(reference.a), make_solid(reference.b));
    std::vector<VolumeMetrics> pieces;
    pair.calc(reference.X_WA, reference.X_WB, pieces);
    const Vec3 direction = pieces[0].area_vector.normalized();
    EXPECT_LT((direction - Vec3::UnitZ()).norm(), 1e-9) << reference.id;
  }
}

}  // namespace
}  // namespace abut
