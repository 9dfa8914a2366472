import type { Language } from '../set/document.types.js';

/** What invoices say beside their values. */
export const WORDS: Readonly<
  Record<
    Language,
    {
      readonly title: readonly string[];
      readonly thanks: string;
      readonly terms: string;
      readonly page: string;
      readonly phone: string;
      readonly bank: string;
      readonly register: string;
    }
  >
> = {
  en: {
    title: ['Invoice', 'INVOICE', 'Tax invoice'],
    thanks: 'Thank you for your business.',
    terms: 'Goods remain our property until paid in full.',
    page: 'Page',
    phone: 'Phone',
    bank: 'Bank',
    register: 'Company no. 07412983',
  },
  de: {
    title: ['Rechnung', 'RECHNUNG'],
    thanks: 'Vielen Dank für Ihren Auftrag.',
    terms: 'Die Ware bleibt bis zur vollständigen Bezahlung unser Eigentum.',
    page: 'Seite',
    phone: 'Telefon',
    bank: 'Bank',
    register: 'HRB 48213',
  },
  fr: {
    title: ['Facture', 'FACTURE'],
    thanks: 'Merci de votre confiance.',
    terms: 'En cas de retard, une pénalité de 3 fois le taux légal est due.',
    page: 'Page',
    phone: 'Tél.',
    bank: 'Banque',
    register: 'RCS Paris 512 448 901',
  },
  es: {
    title: ['Factura', 'FACTURA'],
    thanks: 'Gracias por su confianza.',
    terms: 'La mercancía es propiedad nuestra hasta el pago completo.',
    page: 'Página',
    phone: 'Teléfono',
    bank: 'Banco',
    register: 'Reg. Merc. Madrid, hoja M-48213',
  },
};
