import type { PaymentBypass } from '#contracts/payments'
import { instructionsLetter, paymentReply, visibleBypass } from '#modules/payments/alternative/instructions'
import { tuesdayMeal } from '../ordering/lunches'
import { airtelAndBank } from './alternative-words'

const off: PaymentBypass = { ...airtelAndBank, enabled: false }
const blank: PaymentBypass = { ...off, airtelMoney: { name: '', number: '' } }

test.each([
  ['parent', airtelAndBank, airtelAndBank],
  ['teacher', airtelAndBank, airtelAndBank],
  ['parent', off, blank],
  ['teacher', off, blank],
  ['admin', off, off],
] as const)('a %s sees of the settings what they may', (role, settings, seen) =>
  expect(visibleBypass(settings, blank, role)).toBe(seen),
)

test('only ways that were filled in are told', () => {
  const { instructions } = paymentReply({ reference: 'LP-7K3QW9', amount: 4550 }, airtelAndBank)
  expect(Object.keys(instructions)).toEqual(['message', 'airtelMoney', 'bankTransfer'])
})

test('the letter tells how much, by which reference and how', () => {
  const meals = [
    tuesdayMeal,
    { ...tuesdayMeal, index: 1, mealDate: '2026-09-16', sideDish: null },
    { ...tuesdayMeal, index: 2, mealDate: '2026-09-17', category: null, sideDish: null },
  ]
  const letter = instructionsLetter({ reference: 'LP-7K3QW9', amount: 13_650, meals }, airtelAndBank)
  const rest = `
Please pay K136.50 and give the reference LP-7K3QW9 with your payment, so that we know it is yours.

Airtel Money
  Name: Lusaka Test School
  Number: 0970 000 001

Bank transfer
  Bank: Zanaco
  Account name: Tuckshop
  Account number: 0012345
  Branch: Cairo Road

Your order is shown as "Payment Pending" until we have seen the payment.`
  expect(letter).toEqual({
    subject: 'How to pay for your order LP-7K3QW9',
    text: `thank you for ordering 3 meals:
- Nshima with relish (beef, Cabbage) for Chanda on Tuesday, 15 September 2026: K45.50
- Nshima with relish (beef) for Chanda on Wednesday, 16 September 2026: K45.50
- Nshima with relish for Chanda on Thursday, 17 September 2026: K45.50
${rest}`,
    bareText: `thank you for ordering 3 meals:
- A meal on Tuesday, 15 September 2026: K45.50
- A meal on Wednesday, 16 September 2026: K45.50
- A meal on Thursday, 17 September 2026: K45.50
${rest}`,
    short:
      'Ordered: 3 meals (Tue 15 Sept, Wed 16 Sept, Thu 17 Sept). Please pay K136.50, reference LP-7K3QW9.',
  })
  const until = '08:00 on Tuesday, 15 September 2026'
  const lapsing = instructionsLetter({ reference: 'LP-7K3QW9', amount: 4550, meals, until }, airtelAndBank)
  expect(lapsing.text).toContain(`is cancelled: the first one at ${until}.`)
  expect(letter.text).not.toContain('is cancelled')
  const one = instructionsLetter(
    { reference: 'LP-7K3QW9', amount: 4550, meals: [tuesdayMeal] },
    airtelAndBank,
  )
  expect(one.text).toContain('ordering a meal:')
})
