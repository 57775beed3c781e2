import { refundPaidLetter } from '#modules/refunds/tell-family-when-refund-paid.reactor'

const due = { item: { name: 'Nshima' }, student: { name: 'Chanda', grade: '3' } }

test('a family hears how much was paid back, for what, and what is still to come', () => {
  expect(refundPaidLetter(due, { amount: 4550, stillOwed: 0, method: 'mobile_money' })).toEqual({
    subject: 'Money was paid back to you',
    text: 'The school has paid back K45.50 by mobile money for Nshima of Chanda.',
    bareText: 'The school has paid back K45.50 by mobile money.',
    short: 'The school has paid back K45.50 by mobile money.',
  })
  expect(refundPaidLetter(due, { amount: 1000, stillOwed: 3550, method: 'manual' }).short).toBe(
    'The school has paid back K10.00. K35.50 of it is still to be paid back.',
  )
})
