import { type XmlTree, writeXml } from '../../../src/modules/payments/providers/dpo-wire'
import type { ProviderAnswer, ReportedPayment } from '../../../src/modules/payments/providers/provider'

export const companyToken = '11111111-AAAA-4BBB-8CCC-222222222222'

/** What an attempt of K145.00 asked for. */
export const expected = { amount: 14500, currency: 'ZMW', reference: 'LP-7K3QW9ZD2M' }

/** An answer of DPO: its fields in an `API3G`. */
export const dpoXml = (fields: XmlTree): string => writeXml('API3G', fields)

/** The answer to verifyToken of a payment as asked, in the names of version 7. */
export const paidFields: XmlTree = {
  Result: '000',
  ResultExplanation: 'Transaction Paid',
  CompanyRef: 'LP-7K3QW9ZD2M',
  TransactionAmount: '145.00',
  TransactionCurrency: 'ZMW',
}

const nothingTold: ReportedPayment = {
  explanation: '',
  transaction: { amount: null, currency: null },
  final: { amount: null, currency: null },
  reference: null,
  markupFee: null,
  fraud: { flagged: false, code: null, explanation: null },
  method: null,
  cardLast4: null,
  approval: null,
}

/** What is told of a payment as asked, and nothing else, with these changes. */
export const report = (changes: Partial<ReportedPayment> = {}): ReportedPayment => ({
  ...nothingTold,
  explanation: 'Transaction Paid',
  transaction: { amount: 14500, currency: 'ZMW' },
  reference: 'LP-7K3QW9ZD2M',
  ...changes,
})

export const saysPaid = (changes: Partial<ReportedPayment> = {}): ProviderAnswer => ({
  kind: 'says-paid',
  code: '000',
  report: report(changes),
})
