/// Finds the end of a JPEG without an end marker. The entropy-coded data is decoded up to the last unit of each scan, but no
/// sample is computed.
/// Sources: ITU-T T.81, F.2.2 (sequential) and G.2 (progressive)
struct JPEGScans {
    private struct Component {
        let id: UInt8
        let horizontal: Int
        let vertical: Int
        /// The component's size in blocks. A scan of one component has exactly these blocks.
        let blocksWide: Int
        let blocksHigh: Int
        /// The coefficients that have not come with all their bits yet, a bit each.
        var missing = UInt64.max
        /// The coefficients of each block that are not zero, a bit each. A refining scan has a bit for each of them.
        var coefficients: [UInt64] = []
    }

    /// A component in a scan, with its Huffman tables.
    private struct ScanComponent {
        let index: Int
        let directTable: Int
        let alternatingTable: Int
    }

    /// The coefficients that a scan has, in zigzag order.
    private struct Band {
        let first: Int
        let last: Int
        /// True if the scan adds a bit to coefficients of earlier scans.
        let isRefining: Bool

        var mask: UInt64 { (UInt64.max << first) & (UInt64.max >> (63 - last)) }
    }

    private var components: [Component] = []
    private var isProgressive = false
    private var unitsWide = 0
    private var unitsHigh = 0
    private var directTables = [HuffmanTable?](repeating: nil, count: 4)
    private var alternatingTables = [HuffmanTable?](repeating: nil, count: 4)
    private var restartInterval = 0
    /// The blocks that follow without a further coefficient in this band.
    private var endOfBandRun = 0

    /// The position behind the last minimum coded unit of the last scan.
    ///
    /// - Parameter file: the file from its start, without an end marker.
    /// - Throws: `damaged` where a scan ends before its last unit, or a coefficient has not come with all its bits: further
    ///   scans are missing then.
    static func end(of file: [UInt8]) throws(ImageError) -> Int {
        var scans = JPEGScans()
        var reader = ByteReader(file)
        try reader.skip(2)
        var end: Int?
        while reader.remaining > 0 {
            try reader.skip(1)
            let marker = try reader.byte()
            var body = try reader.part(try reader.bigEndian16() - 2)
            switch marker {
            case JPEG.Marker.frames: try scans.frame(&body, isProgressive: marker == JPEG.Marker.progressive)
            case JPEG.Marker.huffmanTables: try scans.huffmanTables(&body)
            case JPEG.Marker.restartInterval: scans.restartInterval = try body.bigEndian16()
            case JPEG.Marker.startOfScan:
                var bits = EntropyCodedBits(try reader.part(JPEG.entropyCodedCount(reader)))
                try scans.scan(&body, &bits)
                end = bits.position
            default: break
            }
        }
        guard let end, scans.components.allSatisfy({ $0.missing == 0 }) else { throw .damaged }
        return end
    }

    private mutating func frame(_ body: inout ByteReader, isProgressive: Bool) throws(ImageError) {
        self.isProgressive = isProgressive
        try body.skip(1)
        let (height, width) = (try body.bigEndian16(), try body.bigEndian16())
        var factors: [(id: UInt8, horizontal: Int, vertical: Int)] = []
        for _ in 0..<(try body.byte()) {
            let (id, sampling) = (try body.byte(), Int(try body.byte()))
            try body.skip(1)
            factors.append((id, sampling >> 4, sampling & 15))
        }
        guard let widest = factors.map(\.horizontal).max(), let highest = factors.map(\.vertical).max() else {
            throw .damaged
        }
        unitsWide = Self.divided(width, 8 * widest)
        unitsHigh = Self.divided(height, 8 * highest)
        components = factors.map { id, horizontal, vertical in
            // A.1.1 and A.2.2
            let blocksWide = Self.divided(Self.divided(width * horizontal, widest), 8)
            let blocksHigh = Self.divided(Self.divided(height * vertical, highest), 8)
            return Component(
                id: id, horizontal: horizontal, vertical: vertical, blocksWide: blocksWide, blocksHigh: blocksHigh,
                coefficients: isProgressive ? [UInt64](repeating: 0, count: blocksWide * blocksHigh) : [])
        }
    }

    /// The quotient, rounded up.
    private static func divided(_ number: Int, _ divisor: Int) -> Int { (number + divisor - 1) / divisor }

    private mutating func huffmanTables(_ body: inout ByteReader) throws(ImageError) {
        while body.remaining > 0 {
            let (type, number) = (try body.byte()).quotientAndRemainder(dividingBy: 16)
            let counts = try body.take(16).map(Int.init)
            let table = HuffmanTable(counts: counts, symbols: Array(try body.take(counts.reduce(0, +))))
            if type == 0 { directTables[Int(number)] = table } else { alternatingTables[Int(number)] = table }
        }
    }

    private mutating func scan(_ header: inout ByteReader, _ bits: inout EntropyCodedBits) throws(ImageError) {
        var scanned: [ScanComponent] = []
        for _ in 0..<(try header.byte()) {
            let (id, tables) = (try header.byte(), Int(try header.byte()))
            guard let index = components.firstIndex(where: { $0.id == id }), tables >> 4 < 4, tables & 15 < 4 else {
                throw .damaged
            }
            scanned.append(ScanComponent(index: index, directTable: tables >> 4, alternatingTable: tables & 15))
        }
        let (first, last) = (Int(try header.byte()), Int(try header.byte()))
        let approximation = try header.byte()
        // G.1.1.1: only scans of the first coefficient have several components.
        if isProgressive {
            guard first == 0 ? last == 0 : first <= last && last < 64 && scanned.count == 1 else { throw .damaged }
        }
        let band =
            isProgressive
            ? Band(first: first, last: last, isRefining: approximation >> 4 > 0)
            : Band(first: 0, last: 63, isRefining: false)
        try units(of: scanned, band, &bits)
        guard !isProgressive || approximation & 15 == 0 else { return }
        for component in scanned { components[component.index].missing &= ~band.mask }
    }

    /// Passes the units of a scan. A unit of one component is a block.
    private mutating func units(
        of scanned: [ScanComponent], _ band: Band, _ bits: inout EntropyCodedBits
    ) throws(ImageError) {
        endOfBandRun = 0
        var blocks = scanned.map { components[$0.index].horizontal * components[$0.index].vertical }
        var count = unitsWide * unitsHigh
        if scanned.count == 1 {
            count = components[scanned[0].index].blocksWide * components[scanned[0].index].blocksHigh
            blocks = [1]
        }
        for unit in 0..<count {
            if restartInterval > 0, unit > 0, unit % restartInterval == 0 {
                try bits.restart(unit / restartInterval - 1)
                endOfBandRun = 0
            }
            for (component, count) in zip(scanned, blocks) {
                for _ in 0..<count { try block(component, unit, band, &bits) }
            }
        }
    }

    private mutating func block(
        _ component: ScanComponent, _ unit: Int, _ band: Band, _ bits: inout EntropyCodedBits
    ) throws(ImageError) {
        if !isProgressive {
            try direct(component, &bits)
            return try sequential(component, &bits)
        }
        switch (band.first == 0, band.isRefining) {
        case (true, false): try direct(component, &bits)
        case (true, true): try bits.skip(1)
        case (false, false): try alternating(component, unit, band, &bits)
        case (false, true): try refinement(component, unit, band, &bits)
        }
    }

    private func direct(_ component: ScanComponent, _ bits: inout EntropyCodedBits) throws(ImageError) {
        guard let table = directTables[component.directTable] else { throw .damaged }
        try bits.skip(try table.symbol(&bits))
    }

    /// F.2.2.2: the other coefficients of a block.
    private func sequential(_ component: ScanComponent, _ bits: inout EntropyCodedBits) throws(ImageError) {
        guard let table = alternatingTables[component.alternatingTable] else { throw .damaged }
        var index = 1
        while index < 64 {
            let (run, size) = try table.symbol(&bits).quotientAndRemainder(dividingBy: 16)
            if size == 0, run < 15 { return }
            try bits.skip(size)
            index += run + 1
        }
    }

    /// G.1.2.2: the first bits of a band.
    private mutating func alternating(
        _ component: ScanComponent, _ block: Int, _ band: Band, _ bits: inout EntropyCodedBits
    ) throws(ImageError) {
        if endOfBandRun > 0 {
            endOfBandRun -= 1
            return
        }
        guard let table = alternatingTables[component.alternatingTable] else { throw .damaged }
        var index = band.first
        while index <= band.last {
            let (run, size) = try table.symbol(&bits).quotientAndRemainder(dividingBy: 16)
            if size == 0, run < 15 {
                endOfBandRun = 1 << run - 1 + (try bits.number(run))
                return
            }
            index += run
            try bits.skip(size)
            if size > 0, index < 64 { components[component.index].coefficients[block] |= 1 << index }
            index += 1
        }
    }

    /// G.1.2.3: a further bit of a band. Each coefficient that is not zero has one.
    private mutating func refinement(
        _ component: ScanComponent, _ block: Int, _ band: Band, _ bits: inout EntropyCodedBits
    ) throws(ImageError) {
        var coefficients = components[component.index].coefficients[block]
        var index = band.first
        if endOfBandRun == 0 {
            guard let table = alternatingTables[component.alternatingTable] else { throw .damaged }
            while index <= band.last {
                var (run, size) = try table.symbol(&bits).quotientAndRemainder(dividingBy: 16)
                if size == 0, run < 15 {
                    endOfBandRun = 1 << run + (try bits.number(run))
                    break
                }
                try bits.skip(size)
                while index <= band.last {
                    if coefficients >> index & 1 == 1 {
                        try bits.skip(1)
                    } else if run == 0 {
                        break
                    } else {
                        run -= 1
                    }
                    index += 1
                }
                if size > 0, index <= band.last { coefficients |= 1 << index }
                index += 1
            }
        }
        if endOfBandRun > 0 {
            endOfBandRun -= 1
            if index <= band.last {
                let rest = Band(first: index, last: band.last, isRefining: true)
                try bits.skip((coefficients & rest.mask).nonzeroBitCount)
            }
        }
        components[component.index].coefficients[block] = coefficients
    }
}

/// A Huffman table of a JPEG.
/// Source: ITU-T T.81, annex C
private struct HuffmanTable {
    /// The number of codes of each length from 1 to 16 bits.
    let counts: [Int]
    /// The symbols in the order of their codes.
    let symbols: [UInt8]

    func symbol(_ bits: inout EntropyCodedBits) throws(ImageError) -> Int {
        var (code, firstOfLength, index) = (0, 0, 0)
        for count in counts {
            code |= try bits.bit()
            if code - firstOfLength < count { return Int(symbols[index + code - firstOfLength]) }
            index += count
            firstOfLength = (firstOfLength + count) << 1
            code <<= 1
        }
        throw .damaged
    }
}

/// The bits of a scan. A read beyond its end throws `ImageError.damaged`.
private struct EntropyCodedBits {
    private let bytes: [UInt8]
    private let end: Int
    /// The position behind the byte of the last bit that was read.
    private(set) var position: Int
    private var current: UInt8 = 0
    private var left = 0

    init(_ data: ByteReader) {
        bytes = data.bytes
        position = data.position
        end = data.end
    }

    mutating func bit() throws(ImageError) -> Int {
        if left == 0 {
            guard position < end else { throw .damaged }
            current = bytes[position]
            position += 1
            left = 8
            if current == 0xFF {
                // B.1.1.5: a zero follows each 0xFF that is no marker.
                guard position < end, bytes[position] == 0 else { throw .damaged }
                position += 1
            }
        }
        left -= 1
        return Int(current >> left & 1)
    }

    mutating func number(_ count: Int) throws(ImageError) -> Int {
        var number = 0
        for _ in 0..<count { number = number << 1 | (try bit()) }
        return number
    }

    mutating func skip(_ count: Int) throws(ImageError) {
        for _ in 0..<count { _ = try bit() }
    }

    /// Passes the restart marker that comes as the `number`th, from 0.
    mutating func restart(_ number: Int) throws(ImageError) {
        left = 0
        while position + 1 < end, bytes[position] == 0xFF, bytes[position + 1] == 0xFF { position += 1 }
        guard position + 1 < end, bytes[position] == 0xFF, bytes[position + 1] == 0xD0 + UInt8(number % 8) else {
            throw .damaged
        }
        position += 2
    }
}
