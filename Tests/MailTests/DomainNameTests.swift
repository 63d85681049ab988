import Mail
import Testing

@Suite struct DomainNameTests {
    @Test(
        arguments: [
            ("example.org", "example.org"), ("EXAMPLE.org", "example.org"), ("ab--c.example", "ab--c.example"),
            ("bücher.de", "xn--bcher-kva.de"), ("BÜCHER.DE", "xn--bcher-kva.de"),
            ("bu\u{308}cher.de", "xn--bcher-kva.de"), ("xn--bcher-kva.de", "xn--bcher-kva.de"),
            ("XN--BCHER-KVA.de", "xn--bcher-kva.de"), ("xn--i-7iq.ws", "xn--i-7iq.ws"), ("ｅｘａｍｐｌｅ.ｏｒｇ", "example.org"),
            ("例え。テスト", "xn--r8jz45g.xn--zckzah"), ("почта.рф", "xn--80a1acny.xn--p1ai"),
            ("שלום.co.il", "xn--9dbne9b.co.il"), ("faß.de", "xn--fa-hia.de"), ("ﬁ.example", "fi.example"),
        ])
    func eachDomainHasOneForm(domain: String, form: String) {
        #expect(DomainName.ascii(domain) == form)
        #expect(DomainName.ascii(form) == form)
    }

    @Test(
        arguments: [
            "i❤.ws", "a.example\u{0}ü", "xn--zzzzzz.bücher.de", "1שלום.co.il", "-ü.de", "ab--ü.de",
            "\u{301}ü.de", "b＠c.de", "℀.com", "a_b.bücher.de", String(repeating: "ü", count: 70) + ".de",
        ])
    func aDomainThatIDNADoesNotAllowIsRefused(domain: String) {
        #expect(DomainName.ascii(domain) == nil)
    }
}
