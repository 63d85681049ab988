import SystemPackage
import Testing

@testable import tertulia

@Suite struct SocketDirectoryTests {
    /// unix(7): 108 bytes with the NUL.
    @Test func theSocketsPathHas107Bytes() {
        let longest = "/" + String(repeating: "d", count: 107 - 1 - "/.s.PGSQL.5432".utf8.count)
        #expect(SocketDirectory.fits(FilePath(longest)))
        #expect(!SocketDirectory.fits(FilePath(longest + "d")))
    }

    @Test(arguments: ["/home/o'neil/socket", "/home/a b/socket", "/home/a,b/socket", "/home/é/socket"])
    func aPathThatNeedsQuotingIsNotUsed(_ path: String) { #expect(!SocketDirectory.fits(FilePath(path))) }
}
