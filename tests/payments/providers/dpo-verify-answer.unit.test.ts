import { readVerifyAnswer } from '../../../src/modules/payments/providers/dpo-answers'
import { verdictFor } from '../../../src/modules/payments/providers/provider'
import { companyToken, dpoXml, expected, paidFields, saysPaid, report } from './answers'

const read = (xml: string) => readVerifyAnswer(xml, companyToken)
const verdict = (xml: string) => verdictFor(read(xml), expected)

const envelopes = [
  ['Result and ResultExplanation', 'Result', 'ResultExplanation'],
  ['Code and Explanation', 'Code', 'Explanation'],
] as const

describe.each(envelopes)('codes under %s', (_name, code, explanation) => {
  const answer = (number: string) => read(dpoXml({ [code]: number, [explanation]: 'In words' }))

  test.each([
    ['001', 'pending', true],
    ['003', 'pending', false],
    ['005', 'pending', false],
    ['007', 'pending', true],
    ['900', 'pending', false],
  ])('%s is %s (for a person to look at: %s)', (number, kind, unusual) => {
    expect(answer(number)).toEqual({ kind, code: number, explanation: 'In words', unusual })
  })

  test.each([
    ['901', 'declined'],
    ['903', 'expired'],
    ['904', 'cancelled'],
    ['801', 'config'],
    ['802', 'config'],
    ['803', 'config'],
    ['804', 'config'],
    ['902', 'config'],
    ['950', 'config'],
    ['951', 'config'],
  ])('%s is %s', (number, kind) => {
    expect(answer(number)).toEqual({ kind, code: number, explanation: 'In words' })
  })

  test.each(['004', '006', '008', '130', '200', '905', '999', '0', '00', '0000'])(
    '%s is in no table: unreachable',
    (number) => {
      expect(answer(number)).toEqual({ kind: 'unreachable', why: 'unknown-code', detail: number })
    },
  )

  test('000 is a claim of payment', () => {
    expect(read(dpoXml({ ...asEnvelope(paidFields, code, explanation) }))).toEqual(saysPaid())
  })

  test('002 is a claim of too much or too little', () => {
    expect(
      read(
        dpoXml({ ...asEnvelope(paidFields, code, explanation), [code]: '002', TransactionAmount: '100.00' }),
      ),
    ).toEqual({
      kind: 'says-mismatch',
      code: '002',
      report: report({ transaction: { amount: 10000, currency: 'ZMW' } }),
    })
  })
})

const asEnvelope = (
  { Result, ResultExplanation, ...rest }: typeof paidFields,
  code: string,
  explanation: string,
) => ({ [code]: Result!, [explanation]: ResultExplanation!, ...rest })

describe('what is told of a payment', () => {
  test('under the names of version 6', () => {
    const fields = {
      ...paidFields,
      CustomerName: 'Mwansa Phiri',
      CustomerCredit: '1111',
      CustomerCreditType: 'Visa',
      TransactionApproval: '938204',
      TransactionFinalCurrency: 'USD',
      TransactionFinalAmount: '5.80',
      FraudAlert: '000',
      FraudExplnation: 'Genuine transaction',
      MarkupFee: '3.50',
    }
    expect(read(dpoXml(fields))).toEqual(
      saysPaid({
        final: { amount: 580, currency: 'USD' },
        markupFee: 350,
        fraud: { flagged: false, code: '000', explanation: 'Genuine transaction' },
        method: 'Visa',
        cardLast4: '1111',
        approval: '938204',
      }),
    )
  })

  test('under the names of version 7', () => {
    const fields = {
      ...paidFields,
      CardLastFour: '4444',
      CardType: 'Mastercard',
      ApprovalNumber: '938204',
      TransactionFraudAlert: '001',
      TransactionFraudExplanation: 'Fraud suspected',
    }
    expect(read(dpoXml(fields))).toEqual(
      saysPaid({
        fraud: { flagged: true, code: '001', explanation: 'Fraud suspected' },
        method: 'Mastercard',
        cardLast4: '4444',
        approval: '938204',
      }),
    )
  })

  test.each([
    ['000', false],
    ['001', true],
    ['002', true],
    ['777', true],
  ])('fraud code %s is a flag: %s', (code, flagged) => {
    const fraud = { flagged, code, explanation: null }
    expect(read(dpoXml({ ...paidFields, FraudAlert: code }))).toEqual(saysPaid({ fraud }))
  })

  test.each([
    ['1111', '1111'],
    ['411111******1111', '1111'],
    ['4111111111111111', '1111'],
    ['111', null],
    ['', null],
    ['none', null],
  ])('of a card told as %j no more than %j is kept', (sent, kept) => {
    expect(read(dpoXml({ ...paidFields, CustomerCredit: sent }))).toEqual(saysPaid({ cardLast4: kept }))
  })

  test.each([
    ['145.00', 14500],
    ['145', 14500],
    ['145.5', 14550],
    ['145.0000', 14500],
    ['145.005', null],
    ['145.0050', null],
    ['145,00', null],
    ['1,145.00', null],
    ['-145.00', null],
    ['+145.00', null],
    ['1.45e2', null],
    ['0x91', null],
    ['ZMW 145.00', null],
    ['٣', null],
    ['99999999999999999999', null],
  ])('the amount %s is %s ngwee', (written, amount) => {
    const transaction = { amount, currency: 'ZMW' }
    expect(read(dpoXml({ ...paidFields, TransactionAmount: written }))).toEqual(saysPaid({ transaction }))
  })
})

describe('only an answer that is whole and unmistakable counts', () => {
  test.each([
    ['an empty answer', '', 'not-xml'],
    ['words', 'OK', 'not-xml'],
    ['a page', '<html><head></head><body><Result>000</Result></body></html>', 'no-code'],
    ['a page with a document type', '<!DOCTYPE html><html></html>', 'doctype'],
    ['a truncated answer', dpoXml(paidFields).slice(0, -1), 'not-xml'],
    ['another root', dpoXml(paidFields).replaceAll('API3G', 'API4G'), 'no-code'],
    ['a root in small letters', dpoXml(paidFields).replaceAll('API3G', 'api3g'), 'no-code'],
    ['a deeper API3G', `<Answer>${dpoXml(paidFields).replace(/^<\?.*\n/, '')}</Answer>`, 'no-code'],
    ['a code further inside', '<API3G><Transaction><Result>000</Result></Transaction></API3G>', 'no-code'],
    ['a code that holds elements', '<API3G><Result><b>000</b></Result></API3G>', 'no-code'],
    ['an empty code', '<API3G><Result/></API3G>', 'no-code'],
    ['no code', '<API3G><ResultExplanation>Transaction Paid</ResultExplanation></API3G>', 'no-code'],
    ['a code as an attribute', '<API3G Result="000"/>', 'no-code'],
    ['two codes', '<API3G><Result>901</Result><Result>000</Result></API3G>', 'no-code'],
    ['twice the same code', '<API3G><Result>000</Result><Result>000</Result></API3G>', 'no-code'],
    ['a code in each envelope', '<API3G><Result>901</Result><Code>000</Code></API3G>', 'no-code'],
    [
      'one code here and two there',
      '<API3G><Result>000</Result><Code>901</Code><Code>900</Code></API3G>',
      'no-code',
    ],
    ['a code in other letters', '<API3G><result>000</result></API3G>', 'no-code'],
    ['a code with words', '<API3G><Result>000 OK</Result></API3G>', 'unknown-code'],
    ['a code in other digits', '<API3G><Result>٠٠٠</Result></API3G>', 'unknown-code'],
  ])('%s is unreachable', (_name, xml, why) => {
    expect(read(xml)).toMatchObject({ kind: 'unreachable', why })
  })

  test('an amount told twice is not told', () => {
    const twice = dpoXml(paidFields).replace(
      '<TransactionAmount>',
      '<TransactionAmount>1</TransactionAmount>$&',
    )
    expect(verdict(twice)).toMatchObject({
      kind: 'mismatch',
      differences: [{ what: 'amount', reported: null }],
    })
  })

  test.each(['0\u000000', '\u0000000', '0\n00', '00\u00850'])(
    'a code with a stray character, %j, is no code',
    (code) => {
      const xml = dpoXml(paidFields).replace('>000<', `>${code}<`)
      expect(read(xml)).toMatchObject({ kind: 'unreachable', why: 'unknown-code' })
    },
  )

  test('a bare 000 is never paid', () => {
    expect(verdict(dpoXml({ Result: '000' }))).toMatchObject({
      kind: 'mismatch',
      received: null,
      differences: [{ what: 'amount' }, { what: 'currency' }, { what: 'reference' }],
    })
  })
})

describe('texts are safe to keep and to log', () => {
  test('control characters and halves of pairs are marked, long stories cut', () => {
    const explanation = `Line one\nline two\u0085\ud83d and ${'\u{1f35e}'.repeat(400)}`
    const answer = read(
      `<API3G><Result>901</Result><ResultExplanation>${explanation}</ResultExplanation></API3G>`,
    )
    if (answer.kind !== 'declined') throw new Error(answer.kind)
    expect(answer.explanation).toMatch(/^Line one line two\ufffd and \u{1f35e}+$/u)
    expect(Array.from(answer.explanation)).toHaveLength(300)
  })

  test.each([
    companyToken,
    companyToken.toLowerCase(),
    `<![CDATA[${companyToken}]]>`,
    `${companyToken}${companyToken}`,
  ])('the company token is struck out wherever it stands: %s', (report) => {
    const xml = `<API3G><Result>000</Result><ResultExplanation>Token ${report} paid</ResultExplanation><CompanyRef>${report}</CompanyRef><TransactionApproval>${report}</TransactionApproval><CustomerCreditType>${report}</CustomerCreditType><TransactionCurrency>${report}</TransactionCurrency><FraudAlert>${report}</FraudAlert><FraudExplnation>a${report}</FraudExplnation></API3G>`
    const answer = JSON.stringify(read(xml))
    expect(answer).toContain('[struck out]')
    expect(answer.toLowerCase()).not.toContain(companyToken.toLowerCase())
  })

  test('the company token is struck out before a text is cut', () => {
    const long = `${'x'.repeat(290)}${companyToken}`
    const xml = `<API3G><Result>901</Result><ResultExplanation>${long}</ResultExplanation></API3G>`
    expect(JSON.stringify(read(xml))).not.toContain(companyToken.slice(0, 8))
  })

  test('nor is it told as a code', () => {
    expect(read(`<API3G><Result>${companyToken}</Result></API3G>`)).toEqual({
      kind: 'unreachable',
      why: 'unknown-code',
      detail: null,
    })
  })
})
