import Glibc
import SystemPackage

/// Checks the machine: the home directory, its disk, the signing keys, mail and the port.
struct MachineChecks {
    let configuration: Configuration

    func findings() -> [Finding] { [home(), diskSpace(), signingKeys(), mail(), port()] }

    func home() -> Finding {
        let home = configuration.home
        let existing = Self.nearestExisting(home)
        guard access(existing.string, W_OK | X_OK) == 0 else {
            let user = OperatingSystemUser.current.name
            return .problem(
                "TERTULIA_HOME", "\(user) cannot write to \(existing)",
                remedy: "chown \(user) \(existing), or set TERTULIA_HOME to another directory")
        }
        return .fine("TERTULIA_HOME", existing == home ? "\(home)" : "\(home), to be made on the first start")
    }

    func diskSpace() -> Finding {
        let directory = Self.nearestExisting(configuration.home)
        var status = statvfs()
        guard statvfs(directory.string, &status) == 0 else {
            return .problem("Disk", "\(directory): \(Errno(rawValue: errno))", remedy: "check the file system")
        }
        return Self.diskSpace(free: Int(status.f_bavail) * Int(status.f_frsize), of: directory)
    }

    static func diskSpace(free: Int, of directory: FilePath) -> Finding {
        let mebibytes = free / (1 << 20)
        let text = "\(mebibytes) MiB are free for \(directory)"
        let remedy = "free space, or move TERTULIA_HOME to a larger disk: PostgreSQL stops when its log cannot grow"
        return switch mebibytes {
        case ..<256: .problem("Disk", text, remedy: remedy)
        case ..<4096: .warning("Disk", text, remedy: remedy)
        default: .fine("Disk", text)
        }
    }

    func signingKeys() -> Finding {
        let file = configuration.signingKeys
        var status = stat()
        guard lstat(file.string, &status) == 0 else {
            return .fine("Signing keys", "\(file), to be made on the first start")
        }
        guard status.st_mode & 0o077 == 0 else {
            return .problem(
                "Signing keys", "other users can read or write \(file)",
                remedy: "chmod 600 \(file); if they may have been read, remove the file: every session then ends")
        }
        guard access(file.string, R_OK) == 0 else {
            let user = OperatingSystemUser.current.name
            return .problem("Signing keys", "\(user) cannot read \(file)", remedy: "chown \(user) \(file)")
        }
        return .fine("Signing keys", "\(file), readable by its owner alone")
    }

    func mail() -> Finding {
        do throws(CommandFailure) {
            try configuration.checkMail()
        } catch {
            return .problem("Mail", "there is no way for it", remedy: error.description)
        }
        guard let smtp = configuration.smtp else {
            return .fine("Mail", "files in \(configuration.home.appending("mail"))")
        }
        return .fine("Mail", smtp.service.masked)
    }

    func port() -> Finding {
        let address = "\(configuration.host) port \(configuration.port)"
        guard configuration.port != 0 else { return .fine("Port", "any free one") }
        switch Self.bindError(host: configuration.host, port: configuration.port) {
        case nil: return .fine("Port", "\(address) is free")
        case .addressInUse?:
            return .warning(
                "Port", "\(address) is in use",
                remedy: "fine if that is tertulia itself; otherwise stop the other server, or set PORT")
        case .permissionDenied?:
            return .problem(
                "Port", "\(address) may not be used by \(OperatingSystemUser.current.name)",
                remedy: "set PORT to a number above 1023, or put a proxy before the server")
        case let error?:
            return .problem("Port", "\(address): \(error)", remedy: "set HOST to an address of this machine")
        }
    }

    /// The error of listening on an address; nil if a server could listen there.
    static func bindError(host: String, port: Int) -> Errno? {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found?.pointee
        else { return .addressNotAvailable }
        defer { freeaddrinfo(found) }
        let descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
        guard descriptor >= 0 else { return Errno(rawValue: errno) }
        defer { close(descriptor) }
        // Servers set SO_REUSEADDR, too: connections in TIME_WAIT that an ended server left are then no obstacle.
        var on: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
        guard bind(descriptor, address.ai_addr, address.ai_addrlen) == 0, listen(descriptor, 1) == 0
        else { return Errno(rawValue: errno) }
        return nil
    }

    private static func nearestExisting(_ path: FilePath) -> FilePath {
        var path = path
        while access(path.string, F_OK) != 0, path.removeLastComponent() {}
        return path
    }
}
