/** What a field is about, as far as the words for it are known. */
export type Concept = keyof typeof CONCEPTS;

/** The languages whose words are known. */
export type LexiconLanguage = 'en' | 'de' | 'fr' | 'es';

/** The words for a concept. */
export interface ConceptWords {
  /** How fields of schemas are named that mean it: words of the field, behind those of the object that has it. */
  readonly names: readonly string[];
  readonly labels: Readonly<Record<LexiconLanguage, readonly string[]>>;
}

/** What labels say, by concept. */
export type Lexicon = Readonly<Record<Concept, ConceptWords>>;

type Written = readonly [names: string, en: string, de: string, fr: string, es: string];

/** Names and labels between bars. */
const CONCEPTS = {
  invoiceNumber: [
    'invoice number|invoice no|invoice id|number of invoice|document number|invoice|rechnungsnummer|numero facture',
    'Invoice no.|Invoice number|Invoice ID|Invoice #|Bill number|Document no.|Tax invoice no.|Inv. no.',
    'Rechnungsnummer|Rechnungs-Nr.|Belegnummer|Rechnung Nr.|Re.-Nr.|Rg.-Nr.|Faktura-Nr.',
    'Facture n°|Numéro de facture|Référence facture|N° de facture|Facture numéro|Pièce n°|Réf. facture',
    'Factura n.º|Número de factura|Ref. factura|Nº de factura|Factura núm.|Nº documento',
  ],
  invoiceDate: [
    'invoice date|date of invoice|issue date|issued on|date issued|issued|document date|billing date|rechnungsdatum|date',
    'Invoice date|Date of issue|Issued on|Billing date|Date|Document date',
    'Rechnungsdatum|Datum|Ausgestellt am|Belegdatum|Ausstellungsdatum|Rechnung vom',
    "Date de facture|Date de facturation|Émise le|Date d'émission|Date|Établie le",
    'Fecha de factura|Fecha de emisión|Emitida el|Fecha|Fecha factura|Fecha de expedición',
  ],
  dueDate: [
    'due date|payment due|payment due date|date due|due on|due|pay by|faelligkeitsdatum',
    'Due date|Payment due|Pay by|Due on|Payable by|Payment deadline',
    'Fällig am|Fälligkeit|Zahlbar bis|Fälligkeitsdatum|Zahlungsziel|Zu zahlen bis',
    "Échéance|Date d'échéance|À régler avant le|Date limite de paiement|Payable au plus tard le|Règlement avant le",
    'Vencimiento|Fecha de vencimiento|Pagar antes del|Fecha límite de pago|Vence el|Pagadero hasta',
  ],
  serviceDate: [
    'service date|delivery date|date of service|date of delivery|delivered on|supply date|leistungsdatum',
    'Delivery date|Service date|Date of supply|Delivered on|Date of service',
    'Lieferdatum|Leistungsdatum|Geliefert am|Leistungszeitpunkt|Datum der Lieferung',
    'Date de livraison|Date de prestation|Livrée le|Date de service',
    'Fecha de entrega|Fecha de servicio|Entregado el|Fecha de prestación',
  ],
  orderNumber: [
    'order number|order no|purchase order|po number|po|order id|order reference|purchase order number|bestellnummer',
    'Order no.|PO number|Purchase order|Order number|Your order|Customer order no.',
    'Bestellnummer|Bestell-Nr.|Ihre Bestellung|Auftragsnummer|Auftrags-Nr.|Bestellung Nr.',
    'N° de commande|Commande n°|Votre commande|Numéro de commande|Bon de commande|Réf. commande',
    'Nº de pedido|Número de pedido|Su pedido|Pedido n.º|Orden de compra|Ref. pedido',
  ],
  customerNumber: [
    'customer number|customer no|customer id|client number|client id|account number|kundennummer',
    'Customer no.|Customer number|Client ID|Customer ID|Account no.|Client no.',
    'Kundennummer|Kunden-Nr.|Debitor|Kd.-Nr.|Kundennr.',
    'N° client|Numéro de client|Code client|Client n°|Réf. client',
    'Nº de cliente|Número de cliente|Código de cliente|Cliente n.º|Cód. cliente',
  ],
  supplierName: [
    'supplier name|supplier|vendor name|vendor|seller name|seller|issuer name|issuer|sender name|company name|biller',
    'Supplier|Vendor|Seller|From|Issued by|Billed by',
    'Lieferant|Verkäufer|Rechnungssteller|Absender|Anbieter|Aussteller',
    'Fournisseur|Vendeur|Émetteur|Expéditeur|Prestataire|Émise par',
    'Proveedor|Vendedor|Emisor|Remitente|Expedidor|Emitida por',
  ],
  customerName: [
    'customer name|customer|client name|client|buyer name|buyer|recipient name|recipient|bill to|billed to|kunde',
    'Bill to|Customer|Sold to|Invoice to|Client|Billed to|Buyer',
    'Rechnungsempfänger|Kunde|Rechnung an|Käufer|Auftraggeber|Empfänger',
    'Facturé à|Client|Adressée à|Acheteur|Destinataire|Facturer à',
    'Facturar a|Cliente|Destinatario|Comprador|Facturado a|Receptor',
  ],
  supplierVatId: [
    'supplier vat id|supplier vat|supplier vat number|supplier tax id|vendor vat id|vendor tax id|seller vat id|issuer vat id|vat id|vat number|vat|vat no|vat registration number|tax id|ust id',
    'VAT no.|VAT ID|VAT registration no.|VAT number|VAT reg. no.|Tax ID',
    'USt-IdNr.|USt-ID|Umsatzsteuer-ID|UID|Umsatzsteuer-Identifikationsnummer|MwSt-Nr.',
    'N° TVA|TVA intracommunautaire|Identifiant TVA|N° de TVA|TVA intracom.|Numéro de TVA',
    'NIF-IVA|NIF/IVA|Nº IVA|NIF intracomunitario|CIF|Número de IVA',
  ],
  customerVatId: [
    'customer vat id|customer vat|customer vat number|customer tax id|client vat id|buyer vat id|recipient vat id',
    'Customer VAT no.|Your VAT ID|Client VAT ID|Customer VAT ID|Buyer VAT no.',
    'Ihre USt-IdNr.|USt-IdNr. des Kunden|Kunden-USt-ID|Ihre UID|USt-IdNr. Kunde',
    'Votre N° TVA|N° TVA client|TVA du client|Votre TVA|TVA client',
    'NIF-IVA del cliente|Su NIF-IVA|NIF cliente|NIF/IVA cliente|Su NIF',
  ],
  iban: [
    'iban|supplier iban|account iban|bank account|bank account number|payment iban|vendor iban|seller iban|bank iban',
    'IBAN|Bank account|Account|Pay to',
    'IBAN|Bankverbindung|Konto|Kontonummer',
    'IBAN|Compte bancaire|Compte|Coordonnées bancaires',
    'IBAN|Cuenta bancaria|Cuenta|Datos bancarios',
  ],
  currency: [
    'currency|currency code|invoice currency|waehrung|devise|moneda',
    'Currency|Invoice currency|Amounts in|All amounts in',
    'Währung|Rechnungswährung|Beträge in|Alle Beträge in',
    'Devise|Monnaie|Montants en|Tous les montants en',
    'Moneda|Divisa|Importes en|Todos los importes en',
  ],
  totalAmount: [
    'total amount|total|grand total|amount due|total due|gross amount|total gross|invoice total|gross total|total price|amount payable|gesamtbetrag|gross',
    'Total|Amount due|Total payable|Grand total|Total due|Balance due|Invoice total|Total incl. VAT|Gross total',
    'Gesamtbetrag|Rechnungsbetrag|Zahlbetrag|Bruttobetrag|Gesamt|Endbetrag|Summe brutto|Gesamtsumme|Total inkl. MwSt.',
    'Total TTC|Net à payer|Somme à régler|Montant TTC|Total|Montant total|À payer|Total à payer',
    'Total|Total factura|Importe a pagar|Importe total|Total a pagar|Total con IVA|Suma total',
  ],
  netAmount: [
    'net amount|subtotal|sub total|net total|total net|amount net|net|total before tax|amount before tax|nettobetrag|taxable amount',
    'Subtotal|Net amount|Taxable amount|Total excl. VAT|Net total|Total net|Amount before tax',
    'Nettobetrag|Summe netto|Warenwert|Zwischensumme|Netto|Gesamt netto|Total exkl. MwSt.',
    'Total HT|Montant HT|Base hors taxe|Sous-total|Sous-total HT|Montant net HT',
    'Base imponible|Subtotal|Importe neto|Total sin IVA|Neto|Suma neta',
  ],
  taxAmount: [
    'tax amount|tax|vat amount|vat|total tax|total vat|tax total|sales tax|mwst|umsatzsteuer|tva|iva',
    'VAT|Tax|Value added tax|VAT amount|Sales tax|Total VAT',
    'MwSt.|Umsatzsteuer|Steuerbetrag|zzgl. MwSt.|USt.|Mehrwertsteuer',
    'TVA|Montant TVA|Taxe|Total TVA|Montant de la TVA',
    'IVA|Cuota IVA|Impuesto|Importe IVA|Total IVA',
  ],
  taxRate: [
    'tax rate|vat rate|tax percent|vat percent|vat percentage|tax percentage|rate of tax|steuersatz|taux tva',
    'VAT rate|Tax rate|Rate of VAT|VAT %|Tax %',
    'Steuersatz|MwSt-Satz|USt-Satz|MwSt. %|USt. %',
    'Taux TVA|Taux de TVA|Taux|TVA %',
    'Tipo de IVA|Tipo IVA|Tipo impositivo|% IVA|IVA %',
  ],
  description: [
    'description|item|item description|name|product|product name|article|service|text|item name|details|bezeichnung',
    'Description|Item|Particulars|Product|Service|Details',
    'Bezeichnung|Beschreibung|Leistung|Artikel|Produkt|Artikelbezeichnung',
    'Désignation|Description|Libellé|Article|Produit|Prestation',
    'Descripción|Concepto|Detalle|Artículo|Producto|Servicio',
  ],
  quantity: [
    'quantity|qty|count|units|number of units|amount of units|hours|menge|quantite|cantidad',
    'Qty|Quantity|Units|Hours|Qty.',
    'Menge|Anzahl|Stückzahl|Stunden|Anz.',
    'Quantité|Qté|Nombre|Heures|Nb',
    'Cantidad|Cant.|Unidades|Horas|Uds.',
  ],
  unit: ['unit|unit of measure|uom|measure|einheit', 'Unit|UoM', 'Einheit|Einh.|ME', 'Unité|U.', 'Unidad|Ud.|U.M.'],
  unitPrice: [
    'unit price|price|price per unit|rate|item price|unit cost|net price|einzelpreis|prix unitaire|precio unitario',
    'Unit price|Price|Rate|Price each|Unit cost',
    'Einzelpreis|Preis|Stückpreis|E-Preis|Preis/Einheit|EP',
    'Prix unitaire|P.U.|Prix|PU HT|Prix unitaire HT',
    'Precio unitario|Precio|P. unitario|Precio/ud.|P.U.',
  ],
  lineAmount: [
    'amount|line total|total|line amount|sum|net amount|total price|total amount|line price|subtotal|value|betrag|montant|importe',
    'Amount|Line total|Sum|Total|Net',
    'Betrag|Gesamtpreis|Summe|Gesamt|G-Preis|GP|Netto',
    'Montant|Total HT|Montant HT|Total|Prix total',
    'Importe|Total|Subtotal|Importe neto|Precio total',
  ],
  position: [
    'position|pos|line number|line no|item number|line|no|number',
    'Pos.|No.|Line|Item no.',
    'Pos.|Nr.|Position|Lfd. Nr.',
    'N°|Ligne|Pos.|Rep.',
    'N.º|Línea|Pos.|Nº',
  ],
  articleNumber: [
    'article number|sku|product code|item code|product number|article no|part number|artikelnummer',
    'SKU|Item code|Product code|Part no.|Article no.',
    'Art.-Nr.|Artikelnummer|Artikel-Nr.|Art.Nr.',
    'Réf.|Référence|Code article|Code',
    'Ref.|Referencia|Código|Cód.',
  ],
  contractNumber: [
    'contract number|contract no|contract id|agreement number|agreement no|contract reference|vertragsnummer',
    'Contract no.|Agreement no.|Contract reference|Contract number|Agreement number',
    'Vertragsnummer|Vertrags-Nr.|Vertragskennung|Vertrag Nr.',
    'Contrat n°|N° de contrat|Référence du contrat|Numéro de contrat',
    'Contrato n.º|Nº de contrato|Referencia del contrato|Número de contrato',
  ],
  effectiveDate: [
    'effective date|start date|commencement date|begin date|starts on|valid from|start|contract start|beginning|vertragsbeginn',
    'Effective date|Commencement date|Start date|effective as of|commences on|with effect from|shall commence on|takes effect on|Valid from',
    'Vertragsbeginn|tritt in Kraft am|Beginn|beginnt am|mit Wirkung zum|gilt ab dem|Inkrafttreten|mit Wirkung vom',
    "Date d'effet|prend effet le|Date de début|entre en vigueur le|à compter du|Date d'entrée en vigueur",
    'Fecha de efecto|entra en vigor el|Fecha de inicio|con efecto desde el|a partir del|surte efecto el',
  ],
  endDate: [
    'end date|expiry date|expiration date|termination date|expires on|valid until|ends on|end|contract end|vertragsende',
    'End date|Expiry date|Expiration date|expires on|shall end on|terminates on|ends on|Valid until|until',
    'Vertragsende|endet am|Laufzeitende|läuft bis zum|Ende|befristet bis zum|gültig bis',
    'Date de fin|prend fin le|Date de terme|expire le|jusqu’au|arrive à échéance le',
    'Fecha de fin|finaliza el|Fecha de término|vence el|hasta el|termina el',
  ],
  signatureDate: [
    'signature date|signed on|date of signature|signing date|date signed|unterschriftsdatum',
    'Signed on|Date of signature|dated|Signature date|entered into on|made on',
    'Unterzeichnet am|Datum der Unterschrift|geschlossen am|Unterschriftsdatum|unterschrieben am',
    'Signé le|Date de signature|conclu le|fait le',
    'Firmado el|Fecha de firma|celebrado el|suscrito el',
  ],
  term: [
    'term|duration|term months|duration months|contract term|initial term|term in months|term years|laufzeit|period',
    'Term|Initial term|Duration|for a term of|for a period of|Contract term|for an initial period of',
    'Laufzeit|Vertragslaufzeit|Dauer|für die Dauer von|Mindestlaufzeit|auf die Dauer von',
    'Durée|Durée du contrat|Durée initiale|pour une durée de|pour une période de',
    'Duración|Plazo|Duración inicial|por un plazo de|por un período de|por una duración de',
  ],
  noticePeriod: [
    'notice period|notice|notice days|termination notice|notice period days|period of notice|notice months|kuendigungsfrist',
    'Notice period|Period of notice|Termination notice|by giving|upon giving|with a notice of|notice of|on not less than',
    'Kündigungsfrist|Frist zur Kündigung|mit einer Frist von|unter Einhaltung einer Frist von|Kündigung mit einer Frist von',
    'Préavis|Délai de préavis|moyennant un préavis de|avec un préavis de|sous réserve d’un préavis de',
    'Preaviso|Plazo de preaviso|con un preaviso de|con una antelación de|mediante preaviso de',
  ],
  governingLaw: [
    'governing law|applicable law|law|choice of law|anwendbares recht|droit applicable|jurisdiction law',
    'Governing law|Applicable law|Choice of law|governed by the laws of|governed by the law of|construed in accordance with the laws of|subject to the laws of',
    'Anwendbares Recht|Rechtswahl|es gilt das Recht von|unterliegt dem Recht von|Es gilt das Recht|unterliegt dem Recht',
    'Droit applicable|Loi applicable|régi par le droit|soumis au droit|régi par la loi',
    'Ley aplicable|Derecho aplicable|se rige por la ley de|se rige por las leyes de|sometido a la ley de',
  ],
  jurisdiction: [
    'jurisdiction|place of jurisdiction|venue|court|courts|gerichtsstand|forum',
    'Jurisdiction|Place of jurisdiction|Venue|exclusive jurisdiction of the courts of|the courts of',
    'Gerichtsstand|Zuständiges Gericht|Ausschließlicher Gerichtsstand ist|Gerichtsstand ist',
    'Juridiction|Tribunal compétent|compétence exclusive des tribunaux de|les tribunaux de',
    'Jurisdicción|Fuero|los tribunales de|los juzgados y tribunales de',
  ],
  contractValue: [
    'contract value|value|contract amount|fee|total fee|monthly fee|annual fee|price|remuneration|amount|consideration|rent|monthly rent|verguetung',
    'Contract value|Fee|Total fee|a fee of|an amount of|the sum of|Remuneration|a total fee of|a monthly fee of',
    'Vertragswert|Vergütung|Gesamtvergütung|eine Vergütung von|ein Entgelt von|eine Vergütung in Höhe von|Honorar',
    'Valeur du contrat|Rémunération|Prix|une rémunération de|un montant de|la somme de|Honoraires',
    'Valor del contrato|Remuneración|Honorarios|una remuneración de|un importe de|la suma de|Precio',
  ],
} as const satisfies Record<string, Written>;

const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;

/** The builtin words of all concepts. Labels are written as documents have them; they are compared without case and signs. */
export const LEXICON: Lexicon = Object.fromEntries(
  Object.entries(CONCEPTS).map(([concept, [names, ...labels]]) => [
    concept,
    {
      names: names.split('|'),
      labels: Object.fromEntries(LANGUAGES.map((language, index) => [language, labels[index]?.split('|') ?? []])),
    },
  ]),
) as unknown as Lexicon;
