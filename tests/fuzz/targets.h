#pragma once

#include <string_view>

// One function per parser: bytes of a file in. It takes them apart, or refuses them with an Error that names them; what was
// taken must fit together. Anything else ends the process.
namespace coppice::fuzz {

void csv(std::string_view bytes);
void arff(std::string_view bytes);
void libsvm(std::string_view bytes);
void amat(std::string_view bytes);
/// The first two bytes tell how many at the end are those of the labels.
void idx(std::string_view bytes);
void gzip(std::string_view bytes);
void model(std::string_view bytes);
/// The first byte tells the optimizer of the net.
void checkpoint(std::string_view bytes);
void journal(std::string_view bytes);
void results(std::string_view bytes);
void summary(std::string_view bytes);
void config(std::string_view bytes);
void search(std::string_view bytes);

}  // namespace coppice::fuzz
