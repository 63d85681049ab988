import Testing

@testable import App
@testable import tertulia

@Suite struct RateLimitFieldsTests {
    @Test func areListsOfItems() {
        let fields = RateLimitFields([
            RateUse(Rate("writes", 120, in: 60), left: 119, wait: 0),
            RateUse(Rate("sign-ins", 30, in: 300), left: 0.25, wait: 0),
        ]).headers
        #expect(fields.map(\.name) == ["RateLimit", "RateLimit-Policy"])
        #expect(fields[0].value == #""writes";r=119;t=1, "sign-ins";r=0;t=8"#)
        #expect(fields[1].value == #""writes";q=120;w=60, "sign-ins";q=30;w=300"#)
    }

    @Test func aRefusalSaysWhenThereIsOneMore() {
        let fields = RateLimitFields([RateUse(Rate("mails", 5, in: 3600), left: 0, wait: 719.2)]).headers
        #expect(fields[0].value == #""mails";r=0;t=720"#)
    }

    @Test func areNotSentWhereNothingIsCounted() { #expect(RateLimitFields([]).headers.isEmpty) }
}
