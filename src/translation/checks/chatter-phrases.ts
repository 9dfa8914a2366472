const join = (phrases: readonly string[]): RegExp => new RegExp(phrases.join('|'), 'iu');
const atStart = (phrases: readonly string[]): RegExp =>
  new RegExp(String.raw`^[\s"'“„«*#>]{0,8}(?:${phrases.join('|')})`, 'iu');

/** What says that a text is a translation, at its beginning, in the languages that models write such things in. */
export const ANNOUNCEMENTS = atStart([
  String.raw`(?:sure|certainly|of course|okay|ok)?[,!. ]{0,3}(?:here(?:['’]s| is| are)|below is|this is) [\p{L} ]{0,40}?translat`,
  String.raw`(?:the |my |translated )?(?:[\p{L}]{1,20} )?(?:translation|text)(?: (?:is|of|in|to|into|reads)\b|\s?[:：])`,
  String.raw`(?:hier (?:ist|sind)|nachfolgend|im folgenden)[\p{L} ]{0,40}?übersetz|(?:die )?übersetzung(?: (?:lautet|ist|von|ins)\b|\s?:)|übersetzt:`,
  String.raw`(?:voici|voilà|ci-dessous)[\p{L} ]{0,40}?tradu|(?:la )?traduction(?: (?:est|de|en)\b|\s?:)`,
  String.raw`(?:aquí|esta es|a continuación)[\p{L}, ]{0,40}?tradu|(?:la )?traducción(?: (?:es|de|al)\b|\s?:)`,
  String.raw`(?:ecco|questa è|di seguito)[\p{L} ]{0,40}?tradu|(?:la )?traduzione(?: (?:è|di|in)\b|\s?:)`,
  String.raw`(?:aqui está|esta é|segue|abaixo)[\p{L} ]{0,40}?tradu|(?:a )?tradução(?: (?:é|de|para)\b|\s?:)`,
  String.raw`(?:hier is|dit is|hieronder)[\p{L} ]{0,40}?vertal|(?:de )?vertaling(?: (?:is|van)\b|\s?:)`,
  String.raw`(?:oto|poniżej)[\p{L} ]{0,40}?tłumacz|tłumaczenie\s?:`,
  String.raw`(?:här är|her er|nedan)[\p{L} ]{0,40}?(?:översätt|oversæt|overset)|(?:översättning|oversættelse|oversettelse)\s?:`,
  String.raw`(?:вот|ниже|это)[\p{L} ]{0,40}?перевод|перевод\s?:|(?:ось|нижче)[\p{L} ]{0,40}?переклад|переклад\s?:`,
  String.raw`(?:[iİ]şte|aşağıda)[\p{L} ]{0,40}?çeviri|çeviri\s?:|(?:zde je|níže)[\p{L} ]{0,40}?překlad|překlad\s?:`,
  String.raw`(?:以下|这|這|下面)[是为為]?[\p{L}，, ]{0,20}?(?:翻译|翻譯|译文|譯文)|(?:翻译|翻譯|译文|譯文)(?:如下)?[:：]`,
  String.raw`(?:以下|こちら)[はがに]?[\p{L}、 ]{0,20}?(?:翻訳|訳)|(?:翻訳|訳文?)[:：]`,
  String.raw`(?:다음은|아래는|여기)[\p{L} ]{0,30}?번역|번역[:：]`,
  String.raw`(?:إليك|هذه هي|فيما يلي)[\p{L} ]{0,30}?ترجم|الترجمة\s?:`,
  String.raw`(?:यहाँ|यह|नीचे)[\p{L}\p{M} ]{0,30}?अनुवाद|अनुवाद\s?:`,
]);

/** What names a translation in these languages: a source that has it may begin in such a way itself. */
export const TRANSLATION_WORDS = join([
  'translat|übersetz|tradu[cçz]|vertal|tłumacz|översätt|oversæt|overset|перев[оеё]|перекла|çevir|překlad|翻|译|譯|訳|번역|ترجم|अनुवाद',
]);

/** Words that agree with whoever asks, by language. */
export const AGREEMENTS: Readonly<Record<string, RegExp>> = {
  en: atStart([
    String.raw`(?:sure(?: thing)?|certainly|of course|absolutely|okay|ok|no problem|gladly|understood)[!,:—-]`,
  ]),
  de: atStart([String.raw`(?:natürlich|gerne?|selbstverständlich|klar|sicher|in ordnung|verstanden)[!,:—-]`]),
  fr: atStart([String.raw`(?:bien sûr|certainement|d['’]accord|avec plaisir|volontiers|entendu)\s?[!,:—-]`]),
  es: atStart([String.raw`[¡]?(?:claro(?: que sí)?|por supuesto|desde luego|con gusto|entendido|de acuerdo)[!,:—-]`]),
  it: atStart([String.raw`(?:certo|certamente|ovviamente|volentieri|va bene|d['’]accordo)[!,:—-]`]),
  pt: atStart([String.raw`(?:claro|com certeza|certamente|com prazer|entendido)[!,:—-]`]),
  nl: atStart([String.raw`(?:natuurlijk|zeker|uiteraard|graag|oké|begrepen)[!,:—-]`]),
  pl: atStart([String.raw`(?:oczywiście|jasne|pewnie|dobrze)[!,:—-]`]),
  sv: atStart([String.raw`(?:självklart|visst|naturligtvis|okej|selvfølgelig|naturligvis)[!,:—-]`]),
  ru: atStart([String.raw`(?:конечно|разумеется|хорошо|понял|звичайно|звісно)[!,:—-]`]),
  tr: atStart([String.raw`(?:elbette|tabii(?: ki)?|tamam|memnuniyetle)[!,:—-]`]),
  zh: atStart(['(?:当然|當然|好的|没问题|沒問題|明白)[！!，,：:]']),
  ja: atStart(['(?:もちろん(?:です)?|はい|承知(?:しました|いたしました)|了解(?:です|しました))[！!、]']),
  ko: atStart(['(?:물론(?:입니다|이죠)?|네|알겠습니다)[!,]']),
  ar: atStart(['(?:بالتأكيد|بالطبع|حسن[اًا]{1,2}|طبعا)[!،,:]']),
};

/** What refuses, or speaks of the model itself. */
export const REFUSALS = atStart([
  String.raw`(?:(?:i['’]m|i am) (?:very )?sorry|sorry|(?:my )?apologies|i apologize)[,. ][^.\n]{0,40}?(?:can(?:no|['’])t|unable|not able|won['’]t|could not|couldn['’]t)`,
  String.raw`i (?:can(?:not|['’]t)|won['’]t|am (?:unable|not able) to|['’]m unable to) (?:translate|help|assist|comply|fulfil|provide|do that|process)`,
  String.raw`(?:as|being) an? (?:ai|artificial|large language|language) `,
  String.raw`(?:es )?tut mir (?:sehr )?leid[,. ][^.\n]{0,40}?(?:kann|nicht)|als (?:ki|künstliche|sprachmodell)`,
  String.raw`(?:je suis )?désolée?[,. ][^.\n]{0,40}?(?:peux|puis|impossible)|en tant qu['’](?:ia|intelligence|assistant)`,
  String.raw`lo siento[,. ][^.\n]{0,40}?(?:puedo|imposible)|como (?:una? )?(?:ia|inteligencia artificial|modelo de lenguaje)`,
  String.raw`mi dispiace[,. ][^.\n]{0,40}?(?:posso|impossibile)|in quanto (?:ia|intelligenza)`,
  String.raw`(?:desculpe|sinto muito|lamento)[,. ][^.\n]{0,40}?(?:posso|impossível)|het spijt me[,. ][^.\n]{0,40}?(?:kan|niet)`,
  String.raw`(?:извините|простите|к сожалению)[,. ][^.\n]{0,40}?(?:не могу)|как (?:ии|искусственный|языковая)`,
  String.raw`(?:przepraszam|przykro mi)[,. ][^.\n]{0,40}?(?:nie mogę)|üzgünüm[,. ][^.\n]{0,60}?(?:amam|emem)`,
  '(?:抱歉|对不起|對不起|很抱歉)[，,。 ]?我?[^。\\n]{0,20}?(?:无法|無法|不能)|作为(?:一个)?(?:AI|人工智能)',
  '(?:申し訳|すみません)[^。\\n]{0,30}?(?:できません|できかね)|죄송[^.\\n]{0,30}?(?:없습니다|수 없)|(?:آسف|عذرا)[^.\\n]{0,40}?لا (?:أستطيع|يمكن)',
]);

/** Notes and offers of help behind a translation. */
export const NOTES = join([
  String.raw`(?:\n|\(|\[)[ \t*_]{0,4}(?:translator['’]?s? )?(?:notes?|explanation|n\.b\.|hinweis|anmerkung(?:en)?|erklärung|remarques?|explication|notas?|explicación|spiegazione|observação|explicação|opmerking|toelichting|uwaga|wyjaśnienie|примечание|пояснение|примітка|açıklama|anm|poznámka|注[释釋]?|说明|說明|備考|注意|참고|설명|ملاحظة|टिप्पणी)[*_]{0,2}\s?[:：]`,
  String.raw`let me know if|i hope this helps|feel free to|is there anything else|would you like me to`,
  String.raw`lassen sie mich wissen|ich hoffe, (?:das|dies) hilft|n['’]hésitez pas à me|j['’]espère que cela|espero que (?:esto|isso|isto)|si necesitas (?:algo|más)|spero che (?:questo|ti) (?:sia )?(?:aiut|util)|laat het me weten`,
  '希望这|如有(?:其他|任何)问题|お役に立て|도움이 되(?:길|었)',
]);
