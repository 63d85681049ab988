import Foundation
import TertuliaClient

/// A screen of lines, drawn as text after each change of it, and the lines that a person types.
@MainActor public final class Terminal {
    /// Light letters on a dark ground.
    public var isDark = false
    /// Whether the screen stays as it is. Whoever ends this draws afterwards.
    public var isHeld = false
    private let typed = AsyncStream<String> { continuation in
        // Reading a line blocks its thread.
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
    }
    private let clears = isatty(STDOUT_FILENO) == 1
    private var screen: [String] = []
    private var commands = ""
    /// The field of a form that is being asked for.
    private var prompt: String?
    private var shown: [String] = []

    public init() {}

    /// The next line; nil at the end of the input.
    public func line() async -> String? {
        for await line in typed { return line }
        return nil
    }

    /// A form: asks for each field on a line of its own.
    public func form(_ fields: String...) async -> [String] {
        var values: [String] = []
        for field in fields {
            prompt = field
            show()
            values.append(await line() ?? "")
        }
        prompt = nil
        show()
        return values
    }

    public func draw(_ title: String, _ lines: [String], commands: String) {
        let rows = lines.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
        screen = ["╭─ \(title)"] + rows.map { "│ \($0)" }
        self.commands = commands
        show()
    }

    private func show() {
        var next = screen + (prompt.map { ["│ \($0):"] } ?? []) + ["╰─ \(commands)"]
        if isDark { next = next.map { "\u{1B}[97;40m\($0)\u{1B}[K\u{1B}[0m" } }
        guard !isHeld, next != shown else { return }
        shown = next
        let text = (clears ? "\u{1B}[2J\u{1B}[H" : "") + next.joined(separator: "\n") + "\n"
        FileHandle.standardOutput.write(Data(text.utf8))
    }
}

/// The date and the time to the minute, in UTC.
public func minute(_ date: Date) -> String { String(date.formatted(.iso8601).prefix(16)).replacing("T", with: " ") }

/// A picture as blocks of its proportions. The client keeps no bytes of pictures, so the caption stands for the
/// content.
public func picture(width: Int, height: Int, caption: String) -> String {
    let rows = max(1, min(8, 8 * height / max(1, width)))
    return Array(repeating: String(repeating: "█", count: 16), count: rows).joined(separator: "\n") + " \(caption)"
}

/// A picture's file, as it is uploaded; nil for an empty path.
/// - Throws: `Refusal` for a file that is missing, has another ending, or has more than 1 MiB.
public func pictureFile(_ path: String) throws -> UploadFile? {
    guard !path.isEmpty else { return nil }
    let file = URL(fileURLWithPath: path)
    let ending = file.pathExtension.lowercased()
    guard ["png", "jpg", "jpeg", "gif", "webp"].contains(ending),
        let bytes = FileManager.default.contents(atPath: path)
    else { throw Refusal("\(file.lastPathComponent) is no picture.") }
    guard bytes.count <= 1 << 20 else { throw Refusal("\(file.lastPathComponent) has more than 1 MB.") }
    let type = "image/" + ending.replacing("jpg", with: "jpeg")
    return UploadFile(name: file.lastPathComponent, contentType: type, bytes: Array(bytes))
}
