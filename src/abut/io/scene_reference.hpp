#pragma once

#include <string>

namespace abut {

/// Every key of a scene as Markdown tables, from the tables of fields. docs/scene.md contains this text.
std::string make_scene_reference();

}  // namespace abut
