/** How the words for one to twelve begin, ordinals too: numbers between blanks, their variants between bars. */
const STEMS: Readonly<Record<string, string>> = {
  en: '',
  de: 'erst',
  fr: 'premi second|deuxi troisi quatri cinqui sixi septi huiti neuvi dixi onzi douzi',
  es: 'prim segund tercer|terci cuart|cuatr quint sext séptim octav noven|novem décim undécim duodécim',
  it: 'prim second terz quart quint sest settim ottav non decim undic dodic',
  pt: 'primeir segund terceir quart quint sext sétim oitav non décim décimo|undécim duodécim',
  nl: 'eerst tweed derd vierd vijfd zesd zevend acht negend tiend elfd twaalfd',
  pl: 'jed|pierwsz dwa|dwi|dwó|dwo|drug|oba|obie|obu trzy|trze|troj|trój czter|czwar pięć|pięci|piąt sześ|szós siedem|siedm|siódm osiem|ośmi|ósm dziewięć|dziewięci|dziewiąt dziesięć|dziesięci|dziesiąt jedenast dwanaś|dwunast',
  ru: 'один|одн|перв два|две|дву|втор|оба|обе три|тре|трё четыр|четвер|четвёр пят шест сем|седьм восьм|восем девят десят одиннадцат двенадцат',
  uk: 'один|одн|перш два|дві|дво|друг|обид три|трьо|трет чотир|четвер ять|пят шіст|шест|шост сім|сьом|сем вісім|восьм дев десят одинадцят дванадцят',
  be: 'адзін|адн|перш два|дзве|дву|друг тры|тро|трэц чатыр|чацвёр|чацвер яць|пят шэсц|шост сем|сём восем|вось дзев|дзяв дзесяц|дзясят адзінаццац дванаццац',
  bg: 'един|една|едно|първ два|две|дву|втор три|трет|трой четири|четв пет шест седем|седм осем|осм девет десет единадес|единайс дванадес|дванайс',
  cs: 'jed|prv dva|dvě|dvou|dvo|druh|oba|obě tři|tře čtyř|čtvr pět|pát|pěti šest sedm osm devět|devít|devát deset|desít|desát jedenáct dvanáct',
  sk: 'jed|prv dva|dve|dvo|druh|oba|obe tri|tro|tret štyr|štvr päť|piat|piatich šesť|šies sedem|sedm|sied osem|ôsm|osm deväť|devia desať|desia jedenás dvanás',
  sl: 'en|ena|eno|enega|enem|eden|prv dva|dve|dvo|drug|oba tri|tre|tro štir|četrt pet šest sedem|sedm osem|osm devet deset enajst dvanajst',
  hr: 'jed|prv dva|dvi|dvj|dvo|drug|oba tri|tre|tro četir|četvr|četver pet šest sedam|sedm osam|osm devet deset jedanaest dvanaest',
  sr: 'један|једн|прв|jed|prv два|две|дво|друг|оба|dva|dve|dvo|drug три|тре|тро|tri|tre|tro четир|четвр|četir|četvr пет|pet шест|šest седам|седм|sedam|sedm осам|осм|osam|osm девет|devet десет|deset једанаест|jedanaest дванаест|dvanaest',
  sv: 'en|ett|först två|andra tre|tredj fyra|fjärd fem sex|sjätt sju åtta|åtton nio tio elva|elft tolv|tolft',
  da: 'en|et|én|ét|først to|anden|andet tre|tredj fire|fjerd fem seks|sjett syv otte ni ti elleve|ellevt tolv',
  no: 'en|et|ett|én|ei|først to|andre|annen|annet tre|tredj fire|fjerd fem seks|sjett sju|syv åtte ni ti elleve|ellevt tolv',
  fi: 'yksi|yhde|yht|ensimm kaksi|kahde|kaht|toinen|toise kolm nelj viisi|viide|viit kuusi|kuude|kuut seitsem kahdeks yhdeks kymmen yksitoista|yhdentoista kaksitoista|kahdentoista',
  et: 'üks|ühe|üht|esime kaks|kahe|teine|teis kolm neli|nelj viis|viie kuus|kuue seits kaheksa üheksa kümme|kümne üksteis kaksteis',
  hu: 'egy|első|elsö két|kett|másod három|hárm|harm négy|negy öt|ötö hat hét|het nyolc kilenc tíz|tiz tizenegy tizenkét|tizenkettő',
  ro: 'un|una|unu|unul|unei|unui|prim doi|doua|două|al trei patru cinci șase|şase șapte|şapte opt nouă|noua zece unsprezece doisprezece|douăsprezece',
  tr: 'bir|ilk iki üç dört|dörd beş altı yedi sekiz dokuz on|onunc onbir oniki',
  el: 'ένα|μία|μια|ενός|πρώτ δύο|δυο|δεύτερ τρία|τρεις|τριών|τρίτ τέσσερ|τεσσάρ|τέταρτ πέντε|πέμπτ έξι|έκτ επτά|εφτά|έβδομ οκτώ|οχτώ|όγδο εννέα|εννιά|ένατ δέκα|δέκατ έντεκα|ενδέκατ δώδεκα|δωδέκατ',
  ca: 'un|una|prim dos|dues|segon tres|tercer quatre|quart cinc|cinqu sis|sisè set|setè vuit nou|novè deu|desè onze dotze',
  gl: 'un|unha|prim dous|dúas|segund tres|terceir catro|cuart cinco|quint seis|sext sete|sétim oito|oitav nove|noven dez|décim once doce',
  lt: 'vien|pirm du|dvi|antr trys|tris|trij|trim|treč ketur|ketvirt penk šeš septyn aštuon devyn dešimt vienuolik dvylik',
  lv: 'vien|pirm div|otr trīs|trij|treš četr|cetur piec|piekt seš|sest septiņ|septīt astoņ|astot deviņ|devīt desmit vienpadsmit divpadsmit',
  id: 'satu|pertama|sebuah dua|kedua tiga|ketiga empat|keempat lima|kelima enam tujuh delapan sembilan sepuluh sebelas duabelas',
  vi: 'một|nhất hai|nhì ba bốn|tư năm|lăm sáu bảy|bẩy tám chín mười|chục',
  eo: 'unu|unua du|ambaŭ tri kvar kvin ses sep ok naŭ dek dekunu dekdu',
  ko: '하나|한|첫|일 두|둘|이 세|셋|석|삼 네|넷|사 다섯|오 여섯|육 일곱|칠 여덟|팔 아홉|구 열|십 열한|십일 열두|십이',
};
/** And for nothing, in any language. */
const ZERO = /^(?:nul|nol|noll|zero|zér|nič|nikak|ničl|sıfır|không|hutsik|нул|нол|нуль|μηδ|ゼロ|영$|صفر|אפס)/;
const SAME: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', bs: 'hr', sh: 'hr', ms: 'id' };
/** What is shorter is a word by itself, but for syllables of Korean. */
const LEAST_STEM = 3;
const LONGEST_STEM = 14;

const languages: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(STEMS).map(([language, list]) => [language, toStems(list)]),
);

/** Whether the words of a language for small numbers are known. */
export function hasNumberStems(language: string): boolean {
  return languages.has(SAME[language] ?? language);
}

/** The number up to twelve that a word in lower case begins with; undefined: none. */
export function toStemNumber(word: string, language: string): string | undefined {
  if (ZERO.test(word)) return '0';
  const stems = languages.get(SAME[language] ?? language);
  if (!stems || stems.size === 0) return undefined;
  const whole = stems.get(word);
  if (whole !== undefined) return whole;
  const least = language === 'ko' ? 1 : LEAST_STEM;
  for (let length = Math.min(LONGEST_STEM, word.length - 1); length >= least; length -= 1) {
    const value = stems.get(word.slice(0, length));
    if (value !== undefined) return value;
  }
  return undefined;
}

function toStems(list: string): ReadonlyMap<string, string> {
  const numbers = list === '' ? [] : list.split(' ');
  return new Map(numbers.flatMap((stems, index) => stems.split('|').map((stem) => [stem, String(index + 1)] as const)));
}
