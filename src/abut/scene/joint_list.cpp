#include "abut/scene/joint_list.hpp"

namespace abut {

std::string list_joints_with_axes(int num_axes) {
  std::string text;
  for (const JointTraits& row : kJoints) {
    if (row.num_axes >= num_axes) text += (text.empty() ? "" : ", ") + std::string(row.name);
  }
  return text;
}

const JointDocs& joint_docs() {
  static const JointDocs docs = {"required by " + list_joints_with_axes(1), "required by " + list_joints_with_axes(2)};
  return docs;
}

}  // namespace abut
