import { addStudent } from '#contracts/identity'
import { createPayment } from '#contracts/payments'
import { clientOf, signIn } from '../../src/app/demo/client'
import { openCanteen, type Canteen } from '../ordering/canteen'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen()
  await canteen.parent('mwila', { email: 'mwila@example.org' })
})
afterAll(() => canteen.close())

/** The browser keeps its session per host name, so the payment page must lead back to the name that was used. */
test.each(['127.0.0.1', 'localhost'])('a parent who came by %s is led back there', async (host) => {
  const address = new URL(canteen.url)
  address.hostname = host
  const parent = await signIn(address.href, 'mwila', 'parent-password')
  const child = await parent.call(addStudent, { body: { name: `Child by ${host}`, grade: '9' } })
  const cart = {
    amount: 45.5,
    redirectURL: 'https://evil.example/steal',
    cartItems: [canteen.stewFor(child, 2)],
  }
  const { paymentUrl, TransToken } = await parent.call(createPayment, { body: cart })
  expect(new URL(paymentUrl).origin).toBe(address.origin)

  const page = await clientOf(address.href).fetch(`/sandbox/pay/${TransToken}`, {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'pay', card: '4111111111111111' }),
  })
  expect(page.headers.get('location')).toMatch(`${address.origin}/payment/success?`)
})
