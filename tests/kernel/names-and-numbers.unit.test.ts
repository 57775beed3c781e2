import * as fc from 'fast-check'
import { concerns } from '#contracts/cycles'
import { classNamed } from '#kernel/class-name'
import { cutText } from '#kernel/cut-text'
import { foldedName, foldedSearch, foldedWords, isBlankName } from '#kernel/folded-name'
import { lunchId, orderId, orderIdOf, parseOrderId, slotKey } from '#kernel/id'
import { directionOf, outcomeOf, unmappedStatus } from '#kernel/parse-amount'
import { internationalPhone, maskedPhone, mobileNumber, paidFrom } from '#kernel/phone-number'
import { addDays } from '#kernel/school-time'

test.each([
  'Ng’andu',
  "Ng'andu",
  'NGANDU',
  'Ng`andu',
  'Ng´andu',
  'Ngʼandu',
  'Ng‘andu',
  'Ng′andu',
  'Ngꞌandu',
  'Ng＇andu',
  'ngandu\u200b',
  'Ｎｇａｎｄｕ',
  'N\u00adg andu',
])('%j is ngandu', (name) => expect(foldedName(name)).toBe('ngandu'))

test.each([
  ['Mary-Ann  Banda', 'maryannbanda'],
  ['Mary‑Ann Banda', 'maryannbanda'],
  ['Mary Ann Banda', 'maryannbanda'],
  ['Zoë Sá', 'zoesa'],
  ['Zoe\u0308 SA\u0301', 'zoesa'],
  ['chola.mwansa', 'chola.mwansa'],
  ['小明', '小明'],
])('%j is %j', (name, folded) => expect(foldedName(name)).toBe(folded))

test.each([
  ['3B', '3B'],
  [' 3 b ', '3B'],
  ['Grade 3B', '3B'],
  ['grade 03-b', '3B'],
  ['Gr. 10 A', '10A'],
  ['Class 3 Blue', '3 Blue'],
  ['3Blue', '3 Blue'],
  ['Grade 3', 'Grade 3'],
  ['Blue', 'Blue'],
  ['3rd', '3rd'],
  ['3B1', '3B1'],
])('the class %j is %j', (written, name) => {
  expect(classNamed(written)).toBe(name)
  expect(concerns({ grades: [], classes: [written] }, { grade: '1', class: name })).toBe(true)
})

test('a search of nothing but signs is no search for everybody', () => {
  expect(foldedSearch('’')).toBe('’')
  expect(foldedSearch('')).toBe('')
  expect(foldedWords(' - ', 6)).toEqual([' - '])
  expect(foldedWords('Mary-Ann NG’ANDU', 6)).toEqual(['maryann', 'ngandu'])
})

test.each(['', ' ', '\u3164', '\u2800', '\u0301', '\u200b\u2060', '\u0640', '-’', '.'])(
  '%j is blank',
  (name) => expect(isBlankName(name)).toBe(true),
)

test.each([
  ['0971 234 567', '+260971234567'],
  ['971234567', '+260971234567'],
  ['+260 97-123-4567', '+260971234567'],
  ['00260971234567', '+260971234567'],
  ['260971234567', '+260971234567'],
  ['+260 (0)971 234 567', '+260971234567'],
  ['+260 0971 234 567', '+260971234567'],
  ['+260(0)971234567', '+260971234567'],
  ['00260 (0) 971 234 567', '+260971234567'],
  ['00260971 234 567', '+260971234567'],
  ['260 0971234567', '+260971234567'],
  ['(+260) 971 234567', '+260971234567'],
  ['(0971) 234 567', '+260971234567'],
  ['097.123.4567', '+260971234567'],
  ['097/1234567', '+260971234567'],
  ['0971\u00a0234\u202f567', '+260971234567'],
  ['0971\u2011234\u2013567', '+260971234567'],
  ['\u202a+260971234567\u202c', '+260971234567'],
  ['\u200e0971\u200b234567\ufeff', '+260971234567'],
  ['＋２６０９７１２３４５６７', '+260971234567'],
  ['tel:+260971234567', '+260971234567'],
  ['971234567.0', '+260971234567'],
  ['260971234567.00', '+260971234567'],
  ['+44 20 7946 0958', '+442079460958'],
  ['0971', null],
  ['call 0971 234 567', null],
  ['+0971234567', null],
  ['+260 97 123 456', null],
  ['260971234567/260966123456', null],
  ['0971234567 0966123456', null],
  ['9.71234567E+8', null],
  ['', null],
])('%s is the number %s', (written, number) => expect(internationalPhone(written)).toBe(number))

test.each([
  [
    'in',
    'CR|Cr.|C|Credit|credited|H|Haben|I|In|+|Deposit|Received|Money in|Paid In|crédit|CRÉDITO|Entrada|CRDT|Credit (Cr)|CASHIN|CashIn|MoneyIn|PAYIN|(+)|Plus|Entrant|Créditeur|Inbound|Einzahlung|Zugang|Depósito|Recebido|Income|Bij|Direct credit',
  ],
  [
    'out',
    'DR|Dr.|D|Debit|DB|S|Soll|O|Out|-|−|Withdrawal|Sent|Money out|Paid out|débit|Débito|Saída|DBIT|Transfer out|Fee|CASHOUT|CashOut|PaidOut|(-)|Minus|Sortant|Débiteur|Outbound|Auszahlung|Abgang|Retirada|Enviado|Expense|Af|Direct debit',
  ],
  [null, '|X|Payment|REV|Reversal|Credit/Debit|Debit card|45|#N/A|Success|Transfer'],
] as const)('words say which way money went: %p', (way, words) => {
  for (const word of words.split('|')) expect([word, directionOf(word)]).toEqual([word, way])
})

test.each([
  [
    'done',
    [
      'Success',
      'Transaction Success',
      'Successful',
      'Completed',
      'Settled',
      'TS',
      'Paid',
      'processed',
      'OK',
      'Succeeded',
      'Confirmed',
      'Executed',
      'Booked',
      'Collected',
      'Funds Received',
      'Fulfilled',
      'Finalised',
    ],
  ],
  [
    'failed',
    [
      'Failed',
      'Payment failed',
      'Unsuccessful',
      'Unsettled',
      'Not paid',
      'Unpaid',
      'Declined transaction',
      'Pending',
      'Processing',
      'Unprocessed',
      'Incomplete',
      'Cancelled',
      'Expired',
      'Rejected',
      'TF',
      'Void',
      'Not successful',
      'Insufficient funds',
      'Partially completed',
      'To be completed',
      'Will be settled',
      'Never settled',
      'Almost complete',
      'Unconfirmed',
      'Not executed',
      'To be collected',
      'Booking failed',
    ],
  ],
  [
    'taken back',
    ['Reversed', 'Refunded', 'Charged back', 'Success - reversed', 'Disputed', 'Credited back', 'Paid back'],
  ],
  [null, ['', 'Frozen', 'X']],
] as const)('a status says that money is %p', (outcome, words) => {
  for (const word of words) expect([word, outcomeOf(word)]).toEqual([word, outcome])
})

const table = (status: string) => ({
  heads: ['Text', 'Outcome'],
  rows: [{ cells: ['Payment failed', 'Settled'] }, { cells: ['', status] }],
})

test('a column of statuses that a mapping leaves out is found where some rows failed', () => {
  expect(unmappedStatus(table('Declined transaction'), ['Text'])).toBe('Outcome')
  expect(unmappedStatus(table('Declined transaction'), ['Text', 'Outcome'])).toBeNull()
  expect(unmappedStatus(table('Settled'), [])).toBeNull()
  expect(unmappedStatus(table('Frozen'), [])).toBe('Outcome')
  expect(unmappedStatus({ ...table('Failed'), heads: ['Text', 'Statut'] }, [])).toBe('Statut')
})

fc.configureGlobal({ seed: 20260914 })

const slot = { cycleId: 7, studentId: 118, week: 2, day: 4 }
const lunch = { studentId: 118, date: '2026-09-24' }

test('an order is named by its lunch and a running number', () => {
  expect(lunchId(lunch)).toBe('118.2026-09-24')
  expect(orderIdOf(lunch, 1)).toBe('118.2026-09-24.1')
  expect(parseOrderId('118.2026-09-24.1')).toEqual({ lunch, number: 1 })
})

test('an order id read and written again is the same id', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 999_999_999 }),
      fc.integer({ min: 0, max: 5_000 }),
      fc.integer({ min: 1, max: 999_999 }),
      (studentId, days, number) => {
        const date = addDays('2026-09-14', days)
        const id = orderIdOf({ studentId, date }, number)
        expect(orderId.safeParse(id).success).toBe(true)
        expect(parseOrderId(id)).toEqual({ lunch: { studentId, date }, number })
      },
    ),
  )
})

test.each([
  '',
  '118.2026-09-24',
  '118.2026-9-24.1',
  '118.2026-09-24.1.1',
  '118.2026-09-24.-1',
  '118.2026-09-24.1 ',
  '1234567890.2026-09-24.1',
  '118.2026-09-24.x',
  '7.118.2.4.1',
])('%j is no order id', (text) => {
  expect(parseOrderId(text)).toBeNull()
  expect(orderId.safeParse(text).success).toBe(false)
})

test.each(['0118.2026-09-24.1', '118.2026-09-24.01', '0.2026-09-24.1', '118.2026-09-24.0'])(
  '%j is no second name of an order',
  (text) => expect(parseOrderId(text)).toBeNull(),
)

test('a date that no calendar has names no lunch', () => {
  expect(parseOrderId('118.2026-02-30.1')).toBeNull()
})

test.each([{ week: 7 }, { day: 0 }, { studentId: 0 }, { cycleId: 1.5 }])('a slot has no %j', (wrong) => {
  expect(slotKey.safeParse({ ...slot, ...wrong }).success).toBe(false)
})

describe('mobile numbers of Zambia', () => {
  test.each([
    '0977123456',
    '977123456',
    '260977123456',
    '+260977123456',
    '00260977123456',
    '0977 123 456',
    '0977-123-456',
    '(0977) 123-456',
    '+260 (0)97 712 3456',
    '+260-97-7123456',
    ' 0977\u00a0123\u2013456 ',
  ])('%s is one number', (written) => {
    expect(mobileNumber(written)).toBe('+260977123456')
  })

  test.each(['0577123456', '0777123456', '0966123456', '950000000'])(
    '%s begins with 5, 7 or 9',
    (written) => {
      expect(mobileNumber(written)).toMatch(/^\+260[579]\d{8}$/)
    },
  )

  test.each([
    '',
    '097712345',
    '09771234567',
    '0211123456',
    '+27821234567',
    '+254977123456',
    '0977123456x',
    'my phone',
    '260 0977 12',
    '0977123456 0966123456',
  ])('%s is none', (written) => {
    expect(mobileNumber(written)).toBeNull()
  })

  test.each([
    ['+260977123456', '+260 97• ••• 456'],
    ['260977123456', '+260 97• ••• 456'],
    ['0977 123 456', '+260 97• ••• 456'],
    ['+44 7911 123456', '••• ••• 456'],
    ['+12345678', '••• ••• 678'],
    ['[deleted]', null],
    ['', null],
  ])('%s is shown with its middle hidden', (written, shown) => {
    expect(maskedPhone(written)).toBe(shown)
  })

  const own = '+260 97 712 3456'
  test.each([
    ['the family’s own', ['260977123456'], own, { phone: '+260 97• ••• 456', own: true }],
    ['another', ['+260966111222'], own, { phone: '+260 96• ••• 222', own: false }],
    ['of an account without a phone', ['+260977123456'], null, { phone: '+260 97• ••• 456', own: false }],
    [
      'one of two, told by nobody',
      ['+260977123456', '+260966111222'],
      own,
      { phone: '+260 96• ••• 222', own: false },
    ],
    ['the family’s own or an unknown one', ['+260977123456', null], own, null],
    ['another or an unknown one', ['+260966111222', null], own, { phone: '+260 96• ••• 222', own: false }],
    ['deleted with its family', ['[deleted]'], null, null],
    ['none', [], own, null],
  ])('that paid: %s', (_, phones, account, told) => {
    expect(paidFrom(phones, account)).toEqual(told)
  })
})

test('a text is cut between signs, never within one', () => {
  expect(cutText('lunch 🍲', 7)).toBe('lunch ')
  expect(cutText('lunch 🍲', 8)).toBe('lunch 🍲')
  expect(cutText('🍲'.repeat(300), 301)).toBe('🍲'.repeat(150))
})
