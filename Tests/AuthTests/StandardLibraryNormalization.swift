@_spi(_Unicode) import Swift

/// The standard library's own normaliser, which programs may not use: the witness for ours.
extension String {
    var standardNFC: [Unicode.Scalar] { Array(_nfc) }
    var standardNFD: [Unicode.Scalar] { Array(_nfd) }
}
