/// Builds an SVG: a background, then shapes.
struct CoverDrawing {
    let palette: CoverPalette
    private var shapes = ""
    private let angle: Int

    /// - Parameter angle: of the background's gradient, in degrees from the vertical.
    init(_ palette: CoverPalette, angle: Int) {
        self.palette = palette
        self.angle = angle
    }

    mutating func add(_ shape: String) { shapes += shape }

    /// - Parameters:
    ///   - fill: a colour, or a gradient that fades towards the edge: `url(#glow)` or `url(#tint)`.
    ///   - opacity: in hundredths.
    mutating func circle(_ x: Int, _ y: Int, _ radius: Int, fill: String, opacity: Int) {
        add("<circle cx=\"\(x)\" cy=\"\(y)\" r=\"\(radius)\" fill=\"\(fill)\"\(Self.opacity(opacity))/>")
    }

    static func opacity(_ hundredths: Int) -> String {
        hundredths >= 100 ? "" : " opacity=\".\(hundredths < 10 ? "0" : "")\(hundredths)\""
    }

    var svg: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(Cover.width)" height="\(Cover.height)" \
        viewBox="0 0 \(Cover.width) \(Cover.height)" preserveAspectRatio="xMidYMid slice"><defs>\
        <linearGradient id="sky" x2="0" y2="1" gradientTransform="rotate(\(angle) .5 .5)">\
        <stop stop-color="\(palette.top)"/><stop offset=".55" stop-color="\(palette.middle)"/>\
        <stop offset="1" stop-color="\(palette.bottom)"/></linearGradient>\
        <radialGradient id="glow"><stop stop-color="#fff"/><stop offset=".35" stop-color="#fff" stop-opacity=".5"/>\
        <stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>\
        <radialGradient id="tint"><stop stop-color="\(palette.ink)" stop-opacity=".9"/>\
        <stop offset="1" stop-color="\(palette.ink)" stop-opacity="0"/></radialGradient></defs>\
        <path fill="url(#sky)" d="M0 0h\(Cover.width)v\(Cover.height)H0z"/>\(shapes)</svg>
        """
    }
}
