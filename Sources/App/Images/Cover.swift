/// Placeholder covers: a calm gradient in the colours of the category.
public enum Cover {
    /// By the name in the address, such as `funny.svg`; nil where there is none.
    public static func svg(named name: String) -> String? {
        switch name {
        case "funny.svg": svg("#fcd34d", "#f97316", "M560 360q80 70 160 0")
        case "serious.svg": svg("#94a3b8", "#1e3a8a", "M560 380h160")
        case "crazy.svg": svg("#f0abfc", "#7c3aed", "M540 380q30-50 60 0t60 0t60 0t60 0")
        case "event.svg": svg("#6ee7b7", "#0f766e", "M560 320h160v120h-160zM560 350h160M600 300v30M680 300v30")
        default: nil
        }
    }

    private static func svg(_ from: String, _ to: String, _ path: String) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 720" role="img">\
        <defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="\(from)"/>\
        <stop offset="1" stop-color="\(to)"/></linearGradient></defs>\
        <path fill="url(#g)" d="M0 0h1280v720H0z"/>\
        <path fill="none" stroke="#fff" stroke-width="10" stroke-linecap="round" stroke-opacity=".8" d="\(path)"/></svg>
        """
    }
}
