/// GIF files made of blocks.
struct SampleGIF {
    var width = 5
    var height = 4
    /// Between the screen and the frames.
    var blocks: [[UInt8]] = []
    var frames: [[UInt8]] = [frame()]
    var trailer: [UInt8] = [0x3B]
    var trailing: [UInt8] = []

    static let globalColours: [UInt8] = [0, 0, 0, 255, 255, 255]
    static let control: [UInt8] = [0x21, 0xF9, 4, 0, 10, 0, 0, 0]
    static let loop = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]

    /// An image of some colours, of which nobody looks at the data.
    static func frame(x: UInt8 = 0, y: UInt8 = 0, width: UInt8 = 5, height: UInt8 = 4) -> [UInt8] {
        [0x2C, x, 0, y, 0, width, 0, height, 0, 0, 2, 2, 0x44, 0x01, 0]
    }

    static func comment(_ text: String) -> [UInt8] { [0x21, 0xFE, UInt8(text.utf8.count)] + Array(text.utf8) + [0] }

    static func application(_ name: String, _ data: [UInt8]) -> [UInt8] {
        [0x21, 0xFF, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(data.count)] + data + [0]
    }

    var screen: [UInt8] {
        Array("GIF89a".utf8) + [
            UInt8(width & 255), UInt8(width >> 8), UInt8(height & 255), UInt8(height >> 8), 0x80, 0, 0,
        ]
            + Self.globalColours
    }

    var bytes: [UInt8] { ([screen] + blocks + frames + [trailer, trailing]).flatMap { $0 } }
}
