/// The motifs of the categories.
extension CoverDrawing {
    /// Soft balls, and the path of a bouncing one.
    mutating func bubbles(_ random: inout CoverRandom) {
        circle(random.number(in: 200...1080), random.number(in: 60...300), 620, fill: "url(#glow)", opacity: 55)
        for _ in 0..<7 {
            let radius = random.number(in: 40...170)
            let (x, y) = (random.number(in: 0...1280), random.number(in: 0...620))
            circle(x, y, radius, fill: random.number(in: 0...2) == 0 ? "\(palette.ink)" : "#fff", opacity: 14)
        }
        let ground = 720 - random.number(in: 90...130)
        add("<path fill=\"\(palette.ink)\" opacity=\".22\" d=\"M0 \(ground + 34)q320 -46 640 -18t640 -16V720H0z\"/>")
        var x = random.number(in: 60...140)
        var (span, rise) = (random.number(in: 300...380), random.number(in: 300...400))
        let ball = random.number(in: 44...58)
        add("<g fill=\"#fff\" opacity=\".8\">")
        for _ in 0..<3 {
            for step in 1...11 {
                // A parabola through both ends of the leap.
                let y = ground - ball - rise * 4 * step * (12 - step) / 144
                add("<circle cx=\"\(x + span * step / 12)\" cy=\"\(y)\" r=\"6\"/>")
            }
            x += span
            (span, rise) = (span * 7 / 10, rise * 6 / 10)
        }
        add("</g>")
        add("<ellipse cx=\"\(x)\" cy=\"\(ground + 8)\" rx=\"\(ball)\" ry=\"9\" fill=\"#000\" opacity=\".1\"/>")
        circle(x, ground - ball, ball, fill: "\(palette.ink)", opacity: 100)
        circle(x - ball / 3, ground - ball - ball / 3, ball / 2, fill: "url(#glow)", opacity: 60)
    }

    /// Ridges one behind another in a haze, below a low sun.
    mutating func hills(_ random: inout CoverRandom) {
        let sun = (x: random.number(in: 260...1020), y: random.number(in: 150...270))
        circle(sun.x, sun.y, 360, fill: "url(#glow)", opacity: 80)
        circle(sun.x, sun.y, random.number(in: 58...84), fill: "#fff", opacity: 85)
        for ridge in 0..<5 {
            let base = 330 + ridge * 82
            let height = 70 - ridge * 8
            var path = "M0 \(base - random.number(in: 0...height))"
            var x = 0
            while x < 1280 {
                let width = random.number(in: 150...270)
                // Smooth: each curve begins in the direction in which the last one ended.
                let y = base - random.number(in: -height / 2...height)
                path += "S\(x + width / 2) \(y) \(x + width) \(y)"
                x += width
            }
            add("<path fill=\"\(palette.ink)\"\(Self.opacity(14 + ridge * 15)) d=\"\(path)V720H0z\"/>")
        }
    }

    /// Ribbons: many lines, each shifted a little from the last.
    mutating func ribbons(_ random: inout CoverRandom) {
        for _ in 0..<3 {
            let (x, y) = (random.number(in: 0...1280), random.number(in: 0...720))
            circle(
                x, y, random.number(in: 260...460), fill: "url(#\(random.number(in: 0...1) == 0 ? "tint" : "glow"))",
                opacity: 38)
        }
        for ribbon in 0..<2 {
            var (from, to) = ([Int](), [Int]())
            for _ in 0..<4 { from.append(random.number(in: -80...800)) }
            for _ in 0..<4 { to.append(random.number(in: -80...800)) }
            let (first, second) = (random.number(in: 250...520), random.number(in: 740...1030))
            var path = ""
            for line in 0...21 {
                let y = zip(from, to).map { $0 + ($1 - $0) * line / 21 }
                path += "M-20 \(y[0])C\(first + 9 * line) \(y[1]) \(second - 9 * line) \(y[2]) 1300 \(y[3])"
            }
            let colour = ribbon == 0 ? "\(palette.ink)" : "#fff"
            add(
                "<path fill=\"none\" stroke=\"\(colour)\" stroke-width=\"2.5\" opacity=\".\(ribbon == 0 ? 55 : 35)\" d=\"\(path)\"/>"
            )
        }
    }

    /// Strings of lamps in front of lights out of focus.
    mutating func lights(_ random: inout CoverRandom) {
        for _ in 0..<14 {
            let (x, y) = (random.number(in: 0...1280), random.number(in: 300...720))
            circle(x, y, random.number(in: 18...70), fill: "\(palette.ink)", opacity: random.number(in: 8...20))
        }
        add("<defs><g id=\"lamp\">")
        circle(0, 0, 58, fill: "url(#tint)", opacity: 55)
        circle(0, 0, 12, fill: "\(palette.ink)", opacity: 100)
        circle(0, 0, 6, fill: "#fff", opacity: 90)
        add("</g></defs>")
        for string in 0..<3 {
            let (left, right) = (random.number(in: 20...120) + 90 * string, random.number(in: 20...120) + 90 * string)
            let sag = random.number(in: 150...260)
            add(
                "<path fill=\"none\" stroke=\"#000\" stroke-width=\"3\" opacity=\".35\" d=\"M-20 \(left)Q640 \((left + right) / 2 + 2 * sag) 1300 \(right)\"/>"
            )
            let lamps = random.number(in: 9...12)
            for lamp in 1..<lamps {
                let x = -20 + 1320 * lamp / lamps
                // A quadratic Bézier curve, from its three points.
                let (near, far) = (lamps - lamp, lamp)
                let middle = (left + right) / 2 + 2 * sag
                let y = (near * near * left + 2 * near * far * middle + far * far * right) / (lamps * lamps)
                add("<use href=\"#lamp\" x=\"\(x)\" y=\"\(y + 14)\"/>")
            }
        }
    }
}
