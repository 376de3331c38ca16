#pragma once

#include <string>

namespace abut {

/// Every dataset of bodies, joints, contacts and events as a Markdown table, from the tables of columns.
/// docs/records.md contains this text.
std::string make_record_reference();

}  // namespace abut
