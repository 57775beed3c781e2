import {
  readCancelAnswer,
  readCreateAnswer,
  readMobileOptions,
  readPromptAnswer,
  readRefundAnswer,
  readRefundsAnswer,
  readVerifyAnswer,
} from '../../../src/modules/payments/providers/dpo-answers'
import { verdictFor } from '../../../src/modules/payments/providers/provider'
import { companyToken, dpoXml, expected, paidFields, saysPaid, report } from './answers'

const coded = (code: string) => dpoXml({ Result: code, ResultExplanation: 'In words' })

const readCreated = (xml: string) => readCreateAnswer(xml, companyToken)
const readRefunds = (xml: string) => readRefundsAnswer(xml, companyToken)

const found = (refund: Record<string, string>[] | Record<string, string>) =>
  dpoXml({ Code: '000', Explanation: 'Results Found', Refunds: { Refund: refund } })

describe('createToken', () => {
  const created = { Result: '000', ResultExplanation: 'Transaction created' }
  const token = '72983CAC-5DB1-4C7F-BD88-352066B71592'

  test('000 with a token is created', () => {
    expect(readCreated(dpoXml({ ...created, TransToken: token, TransRef: 'R497' }))).toEqual({
      kind: 'created',
      token,
      ref: 'R497',
    })
    expect(readCreated(dpoXml({ ...created, TransToken: token }))).toEqual({
      kind: 'created',
      token,
      ref: null,
    })
  })

  test.each([null, '', 'a b', '../../x', companyToken])('000 with %j for a token is unreachable', (sent) => {
    const xml = dpoXml({ ...created, ...(sent !== null && { TransToken: sent }) })
    expect(readCreated(xml)).toEqual({ kind: 'unreachable', why: 'no-token', detail: null })
  })

  test.each(['801', '802', '803', '804', '902', '904', '922', '923', '930', '950', '951', '960'])(
    '%s: our request or credentials are wrong',
    (code) => {
      expect(readCreated(coded(code))).toEqual({ kind: 'config', code, explanation: 'In words' })
    },
  )

  test.each([
    ['905', 'over-limit'],
    ['906', 'over-limit'],
    ['940', 'already-paid'],
    ['999', 'other'],
    ['001', 'other'],
    ['900', 'other'],
  ])('%s: this payment is refused, %s', (code, reason) => {
    expect(readCreated(coded(code))).toEqual({ kind: 'refused', reason, code, explanation: 'In words' })
  })

  test('the other envelope, and a page', () => {
    expect(readCreated(dpoXml({ Code: '940', Explanation: 'Paid' }))).toMatchObject({
      reason: 'already-paid',
    })
    expect(readCreated('<html><body>Busy</body></html>')).toMatchObject({
      kind: 'unreachable',
      why: 'no-code',
    })
  })
})

describe.each([
  ['cancelToken', readCancelAnswer, { kind: 'cancelled' }],
  ['refundToken', readRefundAnswer, { kind: 'accepted' }],
] as const)('%s', (_operation, reader, done) => {
  const read = (xml: string) => reader(xml, companyToken)

  test('000 is done', () => {
    expect(read(coded('000'))).toEqual(done)
    expect(read(dpoXml({ Code: '000' }))).toEqual(done)
  })

  test('999 is refused', () => {
    expect(read(coded('999'))).toEqual({ kind: 'refused', code: '999', explanation: 'In words' })
  })

  test.each(['801', '802', '803', '804', '902', '950', '951'])('%s is a fault of ours', (code) => {
    expect(read(coded(code))).toEqual({ kind: 'config', code, explanation: 'In words' })
  })

  test.each(['001', '003', '900', '901', '904', '123'])('%s is in no table: unreachable', (code) => {
    expect(read(coded(code))).toEqual({ kind: 'unreachable', why: 'unknown-code', detail: code })
  })

  test('a page is unreachable', () => {
    expect(read('<html/>')).toEqual({ kind: 'unreachable', why: 'no-code', detail: null })
  })
})

describe('verifyRefund', () => {
  test.each([
    ['003', 'done'],
    ['008', 'declined'],
    ['009', 'pending'],
    ['777', 'pending'],
  ])('a refund with %s is %s', (code, status) => {
    const refund = {
      Code: code,
      RefundStatus: 'In words',
      RefundDate: '2026-09-16 09:00:00',
      RefundAmount: '45.5000',
    }
    expect(readRefunds(found(refund))).toEqual({
      kind: 'reported',
      refunds: [{ status, code, amount: 4550, date: '2026-09-16 09:00:00' }],
    })
  })

  test('a code as the status, an amount that is no ngwee, and several refunds', () => {
    expect(
      readRefunds(
        found([
          { RefundStatus: '003', RefundAmount: '10.00' },
          { Code: '008', RefundStatus: 'Declined', RefundAmount: '104.8283' },
        ]),
      ),
    ).toEqual({
      kind: 'reported',
      refunds: [
        { status: 'done', code: '003', amount: 1000, date: null },
        { status: 'declined', code: '008', amount: null, date: null },
      ],
    })
  })

  test.each([
    dpoXml({ Code: '000', Explanation: 'Results Found' }),
    dpoXml({ Code: '000', Refunds: '' }),
    dpoXml({ Code: '000', Refunds: { Refund: 'none' } }),
  ])('no refunds: %s', (xml) => {
    expect(readRefunds(xml)).toEqual({ kind: 'reported', refunds: [] })
  })

  test.each(['001', '801', '802', '803', '804', '902', '950', '951'])('%s is a fault of ours', (code) => {
    expect(readRefunds(dpoXml({ Code: code, Explanation: 'In words' }))).toEqual({
      kind: 'config',
      code,
      explanation: 'In words',
    })
  })

  test.each(['003', '008', '999'])('%s for the whole answer is in no table: unreachable', (code) => {
    expect(readRefunds(dpoXml({ Code: code }))).toMatchObject({ kind: 'unreachable', why: 'unknown-code' })
  })

  test('nothing of a list holds the company token', () => {
    const refund = { Code: companyToken, RefundStatus: companyToken, RefundDate: companyToken }
    expect(JSON.stringify(readRefunds(found(refund)))).not.toContain(companyToken)
  })
})

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

describe('the answer to GetMobilePaymentOptions', () => {
  const option = (fields: Record<string, string>) => ({ mobileoption: fields })
  const airtelInZambia = { paymentname: 'AirtelZM', country: 'zambia', countryCode: '260' }

  test('lists networks with their country', () => {
    const xml = dpoXml({
      Result: '000',
      paymentoptions: {
        mobileoption: [airtelInZambia, { paymentname: 'AirtelKE', country: 'kenya', countryCode: '254' }],
      },
    })
    expect(readMobileOptions(xml, companyToken)).toEqual({
      kind: 'options',
      options: [
        { name: 'AirtelZM', country: 'zambia', countryCode: '260' },
        { name: 'AirtelKE', country: 'kenya', countryCode: '254' },
      ],
    })
  })

  test.each([
    ['without a code', { paymentoptions: option(airtelInZambia) }],
    ['one network, not in a list', { Result: '000', options: airtelInZambia }],
    [
      'names in another case and a prefix for the country',
      { o: { PaymentName: 'AirtelZM', Country: 'zambia', cellularPrefix: '+260' } },
    ],
  ])('is read %s', (_, fields) => {
    expect(readMobileOptions(dpoXml(fields), companyToken)).toMatchObject({
      kind: 'options',
      options: [{ name: 'AirtelZM', country: 'zambia', countryCode: '260' }],
    })
  })

  test.each([
    ['none', { Result: '000' }],
    ['one without a name', { o: { country: 'zambia', countryCode: '260' } }],
    ['one without a country', { o: { paymentname: 'AirtelZM', countryCode: '260' } }],
    ['one with two names', { o: { paymentname: ['Airtel', 'MTN'], country: 'zambia', countryCode: '260' } }],
  ])('offers nothing with %s', (_, fields) => {
    const answer = readMobileOptions(dpoXml(fields as never), companyToken)
    expect(answer.kind === 'options' && answer.options).toEqual([])
  })

  test('holds at most 200 networks', () => {
    const many = { mobileoption: Array.from({ length: 500 }, () => airtelInZambia) }
    const answer = readMobileOptions(dpoXml({ many }), companyToken)
    expect(answer.kind === 'options' && answer.options).toHaveLength(200)
  })

  test.each([
    ['802', 'config'],
    ['902', 'config'],
    ['999', 'unreachable'],
  ])('code %s is %s', (Result, kind) => {
    expect(readMobileOptions(dpoXml({ Result, o: airtelInZambia }), companyToken)).toMatchObject({ kind })
  })
})

describe('the answer to ChargeTokenMobile', () => {
  test.each([
    ['130', { kind: 'sent', code: '130', instructions: null }],
    ['000', { kind: 'sent', code: '000', instructions: null }],
    ['200', { kind: 'paid', code: '200' }],
    ['999', { kind: 'refused', code: '999', explanation: 'Told' }],
    ['904', { kind: 'refused', code: '904', explanation: 'Told' }],
    ['902', { kind: 'config', code: '902', explanation: 'Told' }],
    ['801', { kind: 'config', code: '801', explanation: 'Told' }],
    ['OK', { kind: 'unreachable', why: 'unknown-code', detail: null }],
  ])('status code %s', (StatusCode, answer) => {
    expect(readPromptAnswer(dpoXml({ StatusCode, ResultExplanation: 'Told' }), companyToken)).toEqual(answer)
  })

  test('a refusal of the request comes as Result', () => {
    expect(readPromptAnswer(dpoXml({ Result: '950' }), companyToken)).toMatchObject({ kind: 'config' })
  })

  test('instructions lose their markup', () => {
    const xml = dpoXml({ StatusCode: '130', instructions: '<p>Dial *115#.<br/>Enter   your PIN</p>' })
    expect(readPromptAnswer(xml, companyToken)).toMatchObject({ instructions: 'Dial *115#. Enter your PIN' })
  })

  test.each([
    ['two status codes', { StatusCode: ['130', '999'] }],
    ['a status code and another result', { StatusCode: '130', Result: '901' }],
    ['no code', { instructions: 'Dial *115#' }],
  ])('%s say nothing', (_, fields) => {
    expect(readPromptAnswer(dpoXml(fields as never), companyToken)).toMatchObject({ why: 'no-code' })
  })

  test('a status code stands beside a result of success', () => {
    expect(readPromptAnswer(dpoXml({ StatusCode: '130', Result: '000' }), companyToken)).toMatchObject({
      kind: 'sent',
      code: '130',
    })
  })
})
