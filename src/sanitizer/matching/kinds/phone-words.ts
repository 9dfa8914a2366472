import type { NumberRun } from './number-run.js';

/** So much before a number is looked at, in UTF-16 units, and of that behind the word. */
const REACH = 32;

/** Words of Latin letters, which no other Latin letter may stand beside. */
const LATIN =
  'tel|telephone|telefon|telefono|téléphone|teléfono|telefone|telefonnummer|phone|phones|fon|fax|mobil|mobile|móvil|' +
  'portable|cell|cellphone|celular|telemóvel|call|calling|reach|dial|ring|sms|text|whatsapp|signal|handy|rufnummer|' +
  'telefonisch|erreichbar|rückruf|handynummer|hotline|cellulare|cep|gsm|komórka|mobilnummer|puhelin|puh|điện thoại|đt';
/** Words of other scripts, which stand beside anything, or have endings. */
const OTHER =
  '电话|電話|手机|手機|移动电话|行動電話|座机|座機|热线|熱線|传真|傳真|致电|致電|拨打|撥打|携帯|ケータイ|テレフォン|ファックス|ファクス|連絡先|' +
  '전화|휴대폰|핸드폰|휴대전화|연락처|팩스|тел|моб|факс|звон|τηλ|κινητό|φαξ|هاتف|جوال|تلفون|موبايل|فاكس|تلفن|موبایل|טלפון|נייד|' +
  'फ़ोन|फोन|मोबाइल|โทร|มือถือ';
const PHONE_WORD = new RegExp(`(?:(?<![a-zà-ž])(?:${LATIN})(?![a-zà-ž])|(?:${OTHER}))[^\\d\\n]{0,16}$`, 'i');

/** Whether a word stands before a number that says what it is. */
export function isBehindPhoneWord({ text, start }: NumberRun): boolean {
  return PHONE_WORD.test(text.slice(Math.max(0, start - REACH), start));
}
