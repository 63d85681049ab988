/// Passwords that everybody tries first. Shorter ones than eight characters are refused by their length, so none is
/// listed; what only repeats or counts on is found by rule.
enum CommonPasswords {
    /// - Parameter password: in NFC and lower case.
    static func contains(_ password: String) -> Bool {
        isRepetition(password) || isSequence(password) || list.contains(password[...])
    }

    /// One to four characters over and over.
    private static func isRepetition(_ password: String) -> Bool {
        let scalars = Array(password.unicodeScalars)
        return (1...4).contains { period in
            scalars.count > period
                && scalars.indices.dropFirst(period).allSatisfy { scalars[$0] == scalars[$0 - period] }
        }
    }

    /// Runs of the alphabet, of digits or of a keyboard's row, either way.
    private static func isSequence(_ password: String) -> Bool {
        sequences.contains { $0.contains(password) }
    }

    private static let sequences: [String] = [
        "abcdefghijklmnopqrstuvwxyz", "01234567890123456789", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./",
        "qwertzuiopü", "azertyuiop", "qsdfghjklm", "`1234567890-=", "!@#$%^&*()_+", "qwertyuiopasdfghjklzxcvbnm",
    ].flatMap { [$0, String($0.reversed())] }

    private static let list = Set(text.split(separator: " "))

    private static let text = """
        !qaz2wsx !qaz@wsx 00000000 000000000 0000000000 012345678 0123456789 0987654321 11111111 111111111 \
        1111111111 11112222 11223344 1122334455 12121212 12312312 123123123 123321123 12341234 12344321 123454321 \
        1234554321 12345678 123456789 1234567890 12345678910 123456789a 12345678a 123456ab 123456abc 123456qw \
        123456qwerty 12345abc 1234abcd 1234qwer 123abc456 123qwe123 123qweasd 1314520520 13579246 14725836 147258369 \
        147852369 159357456 1password 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz!qaz 1qaz2wsx 1qaz2wsx3edc 1qaz@wsx \
        1qazxsw2 22222222 33333333 44444444 5201314520 55555555 66666666 741852963 77777777 789456123 87654321 \
        88888888 963852741 987654321 9876543210 99999999 a1234567 a12345678 a123456789 a1b2c3d4 a1b2c3d4e5 aa123456 \
        aa12345678 aaaaaaaa abc12345 abc123456 abc123abc abcabcabc abcd1234 abcdefg1 abcdefgh abcdefghi access123 \
        access14 admin123 admin1234 admin12345 admin123456 admin@123 adminadmin administrator administrator1 \
        alexander alexandra amanda123 america1 andrew123 andrey123 angel123 angels123 anthony1 anthony123 arsenal1 \
        arsenal123 asd12345 asd123456 asdasdasd asdf1234 asdfasdf asdfgh123 asdfghjk asdfghjkl asdfjkl; ashley12 \
        ashley123 australia autumn123 autumn2024 avengers azerty123 azertyuiop babyboy1 babygirl babygirl1 \
        babygirl12 babygirl123 banana123 barcelona barcelona1 baseball baseball1 baseball123 basketball basketball1 \
        batman123 beautiful beautiful1 benjamin bestfriend blackcat blackjack blessed1 blink182 bonjour1 bonjour123 \
        brandon1 brandon123 bulldog1 bulldogs butterfly butterfly1 california cameron1 canada123 caonima123 \
        carlos123 change123 changeme changeme1 changeme123 charlie1 charlie123 cheese123 chelsea1 chelsea123 \
        chicago1 chocolate chocolate1 chocolate123 christian christina christine christopher computer computer1 \
        computer123 contraseña cookie123 cookies1 corvette cowboys1 creative creative1 daddy123 daddysgirl daniel123 \
        danielle danielle1 deadpool december december1 default123 demo1234 demodemo diamond1 diamonds disney123 \
        doudou123 dragon12 dragon123 drowssap elizabeth eminem123 enterprise estrella estrella1 facebook facebook1 \
        facebook123 faith123 family123 february ferrari1 ficken123 florida1 flower123 flowers1 football football1 \
        football123 forever1 forever123 forever21 fortnite fortnite1 fortnite123 freedom1 freedom123 friends1 \
        friends123 gabriel1 gabriela gandalf1 garfield geheim123 germany1 godisgood godislove google123 gorgeous \
        grandma1 greenday guest123 guest1234 hallo123 hallo1234 hannah123 harley123 harrypotter haslo123 heaven123 \
        hello!123 hello123 hello1234 hello12345 hellohello hellokitty helloworld hockey123 hunter123 ichliebedich \
        ilovegod ilovehim ilovejesus iloveme1 ilovemom ilovemymom iloveu123 iloveyou iloveyou! iloveyou1 iloveyou12 \
        iloveyou123 iloveyou2 instagram instagram123 internet internet1 ironman123 isabella jasmine1 jasmine123 \
        jennifer jennifer1 jessica1 jessica123 jesus123 jesus777 jesuschrist jetaime123 jonathan jordan123 jordan23 \
        joshua123 juan1234 juventus juventus1 katherine killer12 killer123 kimberly lakers24 letmein! letmein1 \
        letmein12 letmein123 lightning linkedin linkedin1 linkinpark liverpool liverpool1 liverpool123 login123 \
        london123 lordoftherings lorenzo1 loulou123 lovelove lovely123 loveme123 loveyou1 loveyou2 madison1 manager1 \
        manchester manutd123 marina123 mariposa master123 masterkey matrix123 matthew1 matthew123 melissa1 mercedes \
        mercedes1 metallica metallica1 michael1 michael123 michelle michelle1 mickey123 mickeymouse microsoft \
        midnight midnight1 minecraft minecraft1 minecraft123 mommy123 monkey12 monkey123 motdepasse mother123 \
        mustang1 mypass123 mypassword naruto123 natasha1 natasha123 newyork1 newyork123 nicholas nicole123 ninja123 \
        nintendo nintendo64 nirvana1 nopassword november november1 october1 orange123 p@ssw0rd p@ssw0rd1 p@ssw0rd123 \
        p@ssword p@ssword1 p@ssword123 pa$$word pa55word parola123 parolparol pass1234 pass12345 pass123456 pass@123 \
        pass@word1 passpass passw0rd passw0rd1 passw0rd123 password password! password01 password1 password1! \
        password11 password12 password123 password123! password1234 password12345 password2 password2020 \
        password2021 password2022 password2023 password2024 password2025 password2026 password3 password99 passwords \
        passwort passwort1 passwort123 patricia patrick1 patriots phoenix1 playstation pokemon1 pokemon123 polska123 \
        porsche1 porsche911 precious precious1 princess princess1 princess123 privet123 punisher1 purple12 purple123 \
        q1234567 q12345678 q1w2e3r4 q1w2e3r4t5 qazwsx123 qazwsxedc qazwsxedcrfv qq123456 qq12345678 qwe12345 \
        qwe123456 qwe123qwe qweasdzxc qweqweqwe qwer1234 qwert123 qwerty1! qwerty12 qwerty123 qwerty1234 qwerty12345 \
        qwerty123456 qwerty321 qwertyqwerty qwertyui qwertyuiop qwertz123 qwertzui qwertzuiop rainbow1 rainbow123 \
        realmadrid rebecca1 redskins richard1 robert123 roblox123 root1234 rootroot samantha samantha1 samsung1 \
        samsung123 saturday schatz123 scoobydoo scooter1 sebastian secret123 secretpassword security security1 \
        september server123 shadow12 shadow123 slipknot slipknot1 snoopy123 soccer12 soccer123 softball soleil123 \
        sommer123 spiderman spiderman1 spiderman123 spongebob spongebob1 spring123 spring2024 spring2025 startrek \
        startrek1 starwars starwars1 starwars123 steelers steelers1 stephanie strawberry summer123 summer2020 \
        summer2021 summer2022 summer2023 summer2024 summer2025 sunflower sunshine sunshine1 sunshine123 superman \
        superman1 superman123 supervisor sweetheart sweetie1 system123 teamomucho temp1234 temporary temppass \
        tequiero tequieromucho terminator test1234 test12345 test123456 testing1 testing123 testpassword testtest \
        thepassword thomas123 thrasher thunder1 thursday tigger12 tigger123 toor1234 topsecret trustno1 twitter123 \
        user1234 useruser valentina vanessa1 veronica victoria victoria1 w1234567 warrior1 warriors wednesday \
        welcome1 welcome1! welcome12 welcome123 welcome@123 whatever whatever1 whatever123 william1 winniethepooh \
        winter123 winter2020 winter2021 winter2022 winter2023 winter2024 winter2025 woaini123 woaini1314 woaini520 \
        wolverine wordpass xxxxxxxx yamaha123 yankees1 yourpassword youtube123 z1234567 zaq12wsx zaq1xsw2 zaq1zaq1 \
        zaqxswcde zxc12345 zxc123456 zxcvbnm, zxcvbnm1 zxcvbnm123 zxczxczxc zzzzzzzz
        """
}
