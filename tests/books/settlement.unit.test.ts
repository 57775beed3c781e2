import * as fc from 'fast-check'
import type { SettlementMapping } from '#contracts/settlements'
import {
  compareLines,
  daysCovered,
  missingThere,
  type CardMovement,
  readSettlement,
  totalsOf,
} from '../../src/modules/books/settlements/settlement.decide'

const heads = ['Token', 'Trans Ref', 'Company Ref', 'Type', 'Gross', 'Fee', 'Reserve', 'Net', 'Date']
const mapping: SettlementMapping = {
  token: 'Token',
  transRef: 'trans ref',
  companyRef: 'Company Ref',
  type: 'Type',
  gross: 'Gross',
  fee: 'Fee',
  reserve: 'Reserve',
  net: 'Net',
}
const readAll = (...asked: Parameters<typeof readSettlement>) => {
  const steps = readSettlement(...asked)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
const read = (rows: readonly string[], how: SettlementMapping = mapping) =>
  readAll(
    {
      heads,
      rows: rows.map((cells, index) => ({ row: index + 2, cells: cells.split(';') })),
      errors: [],
      notes: [],
    },
    { mapping: how, zone: 'Africa/Lusaka', now: new Date('2026-09-20T09:00:00Z') },
  )

describe('a file of the provider', () => {
  test('has its amounts as they are written: net need not be gross less fee', () => {
    const { settled, errors } = read([
      'AB-1;R1;LP-1;Payment;1,045.50;-26.14;-104.55;914.00',
      'AB-2;;;Refund;-45.00;;;-45.00',
      ';;LP-3;Chargeback;30;15;;-45',
    ])
    expect(errors).toEqual([])
    expect(settled.map(({ type, gross, fee, reserve, net }) => [type, gross, fee, reserve, net])).toEqual([
      ['payment', 104_550, -2614, -10_455, 91_400],
      ['refund', 4500, null, null, -4500],
      ['chargeback', 3000, 1500, null, -4500],
    ])
    expect(totalsOf(settled)).toEqual({ gross: 97_050, fee: -1114, reserve: -10_455, net: 82_400 })
  })

  test.each([
    ['Sale', '45', 'payment'],
    ['charge', '45', 'payment'],
    ['Settled transaction', '45', 'payment'],
    ['Reversal', '45', 'refund'],
    ['RefundPayment', '-45', 'refund'],
    ['Purchase return', '45', 'refund'],
    ['Charge-back', '45', 'chargeback'],
    ['Dispute', '-45', 'chargeback'],
    ['Funds Received', '45', 'payment'],
    ['Collection', '45', 'payment'],
  ])('%p of %s is a %s', (type, gross, expected) => {
    expect(read([`T;;;${type};${gross}`]).settled).toMatchObject([{ type: expected, gross: 4500 }])
  })

  test.each([
    ['dispute_reversal', '60'],
    ['Chargeback won', '60'],
    ['refund_failure', '20'],
    ['Refund reversal', '20'],
    ['Failed refund', '-20'],
    ['payout', '-79.13'],
    ['Payout fee', '-1'],
    ['Service charge', '1'],
    ['Settlement', '79.13'],
    ['Payment failed', '60'],
    ['Unsettled', '70'],
    ['Declined transaction', '80'],
    ['Payment', '(45.00)'],
    ['', '45'],
    ['Gift', '45'],
    ['Payment authorization', '45'],
    ['Authorised payment', '45'],
    ['Payment attempt', '45'],
    ['Card verification', '1'],
    ['Test payment', '1'],
    ['Refund requested', '-45'],
    ['Refund of refund', '45'],
    ['Un-refund', '45'],
    ['Dispute withdrawn', '45'],
    ['Dispute closed', '45'],
    ['Chargeback recovered', '45'],
    ['Chargeback protection', '-45'],
    ['Payment correction', '45'],
  ])('%p of %s is not a payment, refund or chargeback', (type, gross) => {
    expect(read([`T;;;${type};${gross}`])).toMatchObject({
      settled: [],
      leftOut: [],
      errors: [{ row: 2, message: expect.stringMatching(/not a payment|does not fit/) }],
    })
  })

  test('that writes what went back as less than nothing has no refund that came in', () => {
    const { settled, errors } = read([
      'T;;;Payment;45;;;44',
      'T;;;Refund;-10;;;-10',
      'T;;;Refund;10;;;10',
      'T;;;Dispute;30;;;30',
      'T;;;Dispute;30;;;-30',
    ])
    expect(settled.map(({ row }) => row)).toEqual([2, 3, 6])
    expect(errors.map(({ row, message }) => [row, message])).toEqual([
      [4, 'The sign of this amount does not fit a refund'],
      [5, 'The sign of this amount does not fit a chargeback'],
    ])
  })

  test('in another currency is an error of its row', () => {
    const { settled, errors } = readAll(
      {
        heads: ['Token', 'Gross', 'Currency'],
        rows: [
          { row: 2, cells: ['T1', '45', 'USD'] },
          { row: 3, cells: ['T2', '45', 'ZMW'] },
        ],
        errors: [],
        notes: [],
      },
      { mapping: { token: 'Token', gross: 'Gross' }, zone: 'Africa/Lusaka', now: new Date('2026-09-20') },
    )
    expect(settled).toMatchObject([{ row: 3 }])
    expect(errors).toEqual([{ row: 2, message: 'This row is in USD, and only kwacha are read' }])
  })

  describe('with a column of directions', () => {
    const how: SettlementMapping = { token: 'Token', direction: 'Type', gross: 'Gross', net: 'Net' }

    test('has payments that came in and refunds that went out, without signs', () => {
      const { settled, errors } = read(['T;;;CR;45;;;44', 'T;;;DR;45;;;45', 'T;;;Credit;1', 'T;;;DR;-2'], how)
      expect([settled.map(({ type, gross }) => [type, gross]), errors]).toEqual([
        [
          ['payment', 4500],
          ['refund', 4500],
          ['payment', 100],
          ['refund', 200],
        ],
        [],
      ])
    })

    test('has errors where that says nothing, contradicts a sign, or does not fit the type', () => {
      expect(read(['T;;;X;45', 'T;;;;45', 'T;;;CR;-45'], how).errors.map(({ message }) => message)).toEqual([
        'We do not know whether X means money in or money out',
        'We do not know whether an empty direction means money in or money out',
        '-45 and CR contradict each other',
      ])
      const typed: SettlementMapping = { token: 'Token', type: 'Type', direction: 'Date', gross: 'Gross' }
      const rows = [
        'T;;;Payment;45;;;;DR',
        'T;;;Refund;45;;;;CR',
        'T;;;Refund;45;;;;DR',
        'T;;;Payment;45;;;;CR',
      ]
      const { settled, errors } = read(rows, typed)
      expect([settled.map(({ row }) => row), errors.map(({ row }) => row)]).toEqual([
        [4, 5],
        [2, 3],
      ])
    })
  })

  test('says in its notes how days and months are told apart', () => {
    expect(read(['T;;;Payment;45;;;;06/09/2026'], { ...mapping, at: 'Date' }).notes).toEqual([
      'Dates are read as day/month: first 6 September, last 6 September',
    ])
  })

  test('accounts for each of its rows', () => {
    const cell = fc.constantFrom('', 'T', '45', '-3', 'CR', 'Payment', 'Refund', 'Settled', '06/09/2026')
    const rows = fc.array(fc.array(cell, { minLength: 9, maxLength: 9 }), { maxLength: 12 })
    fc.assert(
      fc.property(rows, (cells) => {
        const found = read(cells.map((one) => one.join(';')))
        const told = [found.settled, found.leftOut, found.errors].flatMap((some) =>
          some.map(({ row }) => row),
        )
        expect(told.toSorted((one, other) => one - other)).toEqual(cells.map((_, index) => index + 2))
      }),
    )
  })

  test('without types has payments and what went back', () => {
    const { type: _, ...untyped } = mapping
    expect(read(['T;;;;45', 'T;;;;-45'], untyped).settled.map(({ type }) => type)).toEqual([
      'payment',
      'refund',
    ])
  })

  test('counts only what its status says was settled', () => {
    const how = { ...mapping, status: 'Date' }
    const statuses = [
      'Settled',
      'Payment failed',
      'Unsettled',
      'Declined transaction',
      'Refunded',
      '',
      'Frozen',
    ]
    const { settled, errors } = read(
      [...statuses.map((status) => `T;;;Payment;45;;;;${status}`), 'T;;;Refund;-45;;;;Refunded'],
      how,
    )
    expect([settled.map(({ row }) => row), errors.map(({ row }) => row)]).toEqual([
      [2, 9],
      [3, 4, 5, 6, 7, 8],
    ])
  })

  test('says which rows cannot be read, and which it leaves out since they name no payment', () => {
    const dated = { ...mapping, at: 'Date' }
    const { settled, errors, leftOut } = read(
      [
        'T;;;Payment;lots',
        'T;;;Gift;45',
        'T;;;Payment;45;some',
        'T;;;Payment;99999999.00',
        'T;;;Payment;45;;;;soon',
        ';;;Total;45',
      ],
      dated,
    )
    expect(settled).toEqual([])
    expect(leftOut).toEqual([{ row: 7, reason: 'names no payment: Total', amount: 4500 }])
    expect(errors).toEqual([
      { row: 2, message: 'The amount lots cannot be read' },
      { row: 3, message: 'Gift is not a payment, refund or chargeback' },
      { row: 4, message: 'The amount some cannot be read' },
      { row: 5, message: 'The amount 99999999.00 cannot be read' },
      { row: 6, message: 'The date soon cannot be read' },
    ])
  })
})

const payments = [
  { attemptId: 'a', token: 'AB-1', ref: 'R1', reference: 'LP-1' },
  { attemptId: 'b', token: 'AB-2', ref: 'R2', reference: 'LP-2' },
]
const paid = (attemptId: string, amount: number, date = '2026-09-14'): CardMovement => ({
  id: attemptId,
  attemptId,
  type: 'payment',
  amount,
  date,
})
const back = (id: string, attemptId: string, amount: number, date = '2026-09-15'): CardMovement => ({
  id,
  attemptId,
  type: 'refund',
  amount,
  date,
})
const compared = (rows: readonly string[], movements: readonly CardMovement[]) =>
  compareLines(read(rows).settled, { payments, movements }).rows.map(({ state, reference, ours, theirs }) => [
    state,
    reference,
    ours,
    theirs,
  ])

describe('rows without an amount or a payment', () => {
  test('are errors, headings again and sums, whatever column of names they stand in', () => {
    const { settled, errors, leftOut } = read([
      'T;R1;;Payment;',
      'T;R2;;Payment;0.00',
      heads.join(';'),
      'Grand total;;;;45',
      ';;Subtotal: Visa;;45',
      ';Carried forward;;;45',
    ])
    expect(settled).toEqual([])
    expect(errors).toEqual([
      { row: 2, message: 'This row has no amount' },
      { row: 3, message: 'This row has no amount' },
    ])
    expect(leftOut).toEqual([
      { row: 4, reason: 'the headings again', amount: null },
      { row: 5, reason: 'names no payment: Grand total', amount: 4500 },
      { row: 6, reason: 'names no payment: Subtotal: Visa', amount: 4500 },
      { row: 7, reason: 'names no payment: Carried forward', amount: 4500 },
    ])
  })
})

describe('beside the books', () => {
  test.each(['ab1;;', ';r 1;', ';;1-lp', ';;lp1'])('%s names the payment, or does not', (names) => {
    const isOurs = names !== ';;1-lp'
    expect(compared([`${names};Payment;45`], [paid('a', 4500)])).toEqual([
      isOurs ? ['matched', 'LP-1', 4500, 4500] : ['missing_here', '1-lp', null, 4500],
    ])
  })

  test('a payment and a refund match, differ, or are missing here', () => {
    const movements = [paid('a', 4500), back('n', 'a', 1000), paid('b', 4500)]
    expect(
      compared(
        ['AB-1;;;Payment;45', 'AB-1;;;Refund;-10', 'AB-2;;;Payment;44', 'AB-2;;;Refund;-5', 'X;;;Sale;1'],
        movements,
      ),
    ).toEqual([
      ['matched', 'LP-1', 4500, 4500],
      ['matched', 'LP-1', 1000, 1000],
      ['amount_differs', 'LP-2', 4500, 4400],
      ['missing_here', 'LP-2', null, 500],
      ['missing_here', 'X', null, 100],
    ])
  })

  test('a movement stands beside one line only, first beside one of its amount', () => {
    const refunds = [back('n', 'a', 1000), back('m', 'a', 2000)]
    expect(compared(['AB-1;;;Refund;15', 'AB-1;;;Refund;10', 'AB-1;;;Refund;10'], refunds)).toEqual([
      ['amount_differs', 'LP-1', 2000, 1500],
      ['matched', 'LP-1', 1000, 1000],
      ['missing_here', 'LP-1', null, 1000],
    ])
    expect(compared(['AB-1;;;Payment;45', 'AB-1;;;Payment;45'], [paid('a', 4500)])).toEqual([
      ['matched', 'LP-1', 4500, 4500],
      ['missing_here', 'LP-1', null, 4500],
    ])
  })

  test('of a chargeback the books know nothing', () => {
    expect(compared(['AB-1;;;Chargeback;45'], [paid('a', 4500), back('n', 'a', 4500)])).toEqual([
      ['missing_here', 'LP-1', null, 4500],
    ])
  })

  test('ours of the days covered that the file has not are missing there', () => {
    const ours = { payments, movements: [paid('a', 4500), back('n', 'a', 1000), paid('b', 4500)] }
    const { found } = compareLines(read(['AB-1;;;Payment;45']).settled, ours)
    expect(missingThere(ours, found)).toEqual([
      { row: null, type: 'refund', state: 'missing_there', reference: 'LP-1', ours: 1000, theirs: null },
      { row: null, type: 'payment', state: 'missing_there', reference: 'LP-2', ours: 4500, theirs: null },
    ])
  })

  test('a file covers the days of its dates, else those on which we booked what it has', () => {
    const dated = read(['T;;;Payment;45;;;;13/09/2026', 'T;;;Chargeback;45;;;;01/03/2026'], {
      ...mapping,
      at: 'Date',
    })
    expect(daysCovered(dated.settled, [paid('a', 4500)])).toEqual({ from: '2026-09-13', to: '2026-09-13' })
    const { settled } = read(['T;;;Payment;45'])
    const found = [back('n', 'a', 1000), paid('a', 4500)]
    expect(daysCovered(settled, found)).toEqual({ from: '2026-09-14', to: '2026-09-15' })
    expect(daysCovered(settled, [])).toBeNull()
  })
})
