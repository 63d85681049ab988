import FoundationEssentials
import GraphQLTransport
import SystemPackage

extension Configuration {
    /// The trusted documents; nil if no manifest is set.
    /// - Throws: `CommandFailure` if the manifest is missing or unreadable; `InvalidTrustedDocuments` if it is invalid.
    func readTrustedDocuments() throws -> TrustedDocuments? {
        guard let path = trustedDocuments else {
            if !runsOnlyTrustedDocuments { return nil }
            throw CommandFailure("TERTULIA_TRUSTED_DOCUMENTS_ONLY needs TERTULIA_TRUSTED_DOCUMENTS, the manifest.")
        }
        guard let manifest = FileManager.default.contents(atPath: path.string) else {
            throw CommandFailure("TERTULIA_TRUSTED_DOCUMENTS: \(path) cannot be read.")
        }
        return try TrustedDocuments(manifest: Array(manifest))
    }
}
