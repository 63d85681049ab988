import CCurl
import Dispatch

/// A mail server (RFC 5321), reached with libcurl. Mails are sent one after another on a dispatch queue, since
/// libcurl's call blocks.
public final class SMTPServer: MailTransport {
    /// The use of STARTTLS (RFC 3207) where the address begins with smtp://.
    public enum Encryption: String, Sendable {
        /// A mail is sent only over an encrypted connection.
        case required
        /// Encrypted if the server offers it: for a relay on the same machine or in the same private network.
        case opportunistic
    }

    private let url: String
    private let user: String?
    private let password: String?
    private let encryption: Encryption
    /// The path of a PEM file with the certificates to trust instead of the system's.
    private let authorities: String?
    private let queue = DispatchQueue(label: "smtp")

    /// The time for sending one mail, in seconds.
    static let timeout = 30

    /// - Parameters:
    ///   - url: without user, password and parameters: `smtp://host:587` or `smtps://host:465`.
    ///   - authorities: the path of a PEM file with the certificates to trust instead of the system's.
    public init(
        url: String, user: String? = nil, password: String? = nil, encryption: Encryption = .required,
        authorities: String? = nil
    ) {
        (self.url, self.user, self.password) = (url, user, password)
        (self.encryption, self.authorities) = (encryption, authorities)
        // libcurl's own initialisation at first use is not thread-safe in every build. A second call does nothing.
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    }

    /// Sends one mail. Mails wait for each other.
    /// - Throws: `MailError.permanent` for a reply of 5xx other than a refused sign-in; otherwise `.temporary`.
    public func send(_ message: MailMessage) async throws(MailError) {
        let result: Result<Void, MailError> = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(returning: Result { () throws(MailError) in try self.transfer(message) })
            }
        }
        try result.get()
    }

    private func transfer(_ message: MailMessage) throws(MailError) {
        guard let curl = curl_easy_init() else { throw .temporary("libcurl has no memory") }
        defer { curl_easy_cleanup(curl) }
        let recipients = curl_slist_append(nil, "<\(message.to.address)>")
        defer { curl_slist_free_all(recipients) }
        let upload = Upload(message.bytes)
        set(curl, CURLOPT_URL, url)
        set(curl, CURLOPT_USERNAME, user)
        set(curl, CURLOPT_PASSWORD, password)
        set(curl, CURLOPT_CAINFO, authorities)
        set(curl, CURLOPT_MAIL_FROM, "<\(message.from.address)>")
        _ = tertulia_curl_set_list(curl, CURLOPT_MAIL_RCPT, recipients)
        let level = encryption == .required ? CURLUSESSL_ALL : CURLUSESSL_TRY
        _ = tertulia_curl_set_long(curl, CURLOPT_USE_SSL, Int(level.rawValue))
        _ = tertulia_curl_set_long(curl, CURLOPT_TIMEOUT, Self.timeout)
        _ = tertulia_curl_set_long(curl, CURLOPT_CONNECTTIMEOUT, 10)
        // Without signals: SIGALRM would interrupt other threads.
        _ = tertulia_curl_set_long(curl, CURLOPT_NOSIGNAL, 1)
        _ = tertulia_curl_set_long(curl, CURLOPT_UPLOAD, 1)
        let source = Unmanaged.passUnretained(upload).toOpaque()
        _ = tertulia_curl_set_reader(curl, { Upload.read($0, $1, $2, $3) }, source)
        let code = withExtendedLifetime(upload) { curl_easy_perform(curl) }
        guard code != CURLE_OK else { return }
        var reply = 0
        _ = tertulia_curl_response_code(curl, &reply)
        let reason = String(cString: curl_easy_strerror(code)) + (reply > 0 ? ", reply \(reply)" : "")
        // A refused sign-in is temporary although its reply is 5xx: the operator can correct the password, and the mail
        // is still wanted then.
        throw (500...599).contains(reply) && code != CURLE_LOGIN_DENIED ? .permanent(reason) : .temporary(reason)
    }

    private func set(_ curl: UnsafeMutableRawPointer, _ option: CURLoption, _ value: String?) {
        guard let value else { return }
        _ = tertulia_curl_set_string(curl, option, value)
    }
}

/// The source from which libcurl reads the mail's bytes.
private final class Upload {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func read(
        _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ source: UnsafeMutableRawPointer?
    ) -> Int {
        guard let buffer, let source else { return 0 }
        let upload = Unmanaged<Upload>.fromOpaque(source).takeUnretainedValue()
        let length = min(size * count, upload.bytes.count - upload.position)
        upload.bytes.withUnsafeBytes { bytes in
            guard length > 0, let base = bytes.baseAddress else { return }
            UnsafeMutableRawPointer(buffer).copyMemory(from: base + upload.position, byteCount: length)
        }
        upload.position += length
        return length
    }
}
