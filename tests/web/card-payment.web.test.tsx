import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import './admin/browser-gaps'
import { appQueryClient } from '../../web/app/app'
import { rememberPaying, removePaid } from '../../web/features/cart/checkout/card-payment'
import { cartKey, writeCart, useCart } from '../../web/features/cart/cart'
import { useCheckout } from '../../web/features/cart/checkout/use-checkout'
import { ownPath } from '../../web/features/payment/api'
import { Toasts } from '../../web/ui/toasts'
import { cartDays, mealOn, token } from './payment-page'
import { parent } from './sample-family'

beforeEach(() => localStorage.clear())

const Sender = () => {
  const checkout = useCheckout(useCart(parent.id), parent, {
    useCredit: true,
    payBy: 'card',
    isInConflict: false,
  })
  return (
    <button type="button" onClick={checkout.place}>
      Send
    </button>
  )
}

test('an empty cart is not sent', async () => {
  render(
    <QueryClientProvider client={appQueryClient()}>
      <Sender />
      <Toasts />
    </QueryClientProvider>,
  )
  act(() => screen.getByText('Send').click())
  expect(await screen.findByText('Cannot proceed with payment: No items in cart')).toBeInTheDocument()
})

describe('what is kept of a payment on this device', () => {
  const key = `${cartKey(parent.id)}-paying`

  test('goes with it', () => {
    rememberPaying(parent.id, token, [mealOn(1)])
    removePaid(parent.id, token)
    expect(localStorage.getItem(key)).toBeNull()
  })

  test.each(['{', 'null', '{"transactionId":1}', '[]'])('may be broken: %s', (text) => {
    localStorage.setItem(key, text)
    writeCart(parent.id, [mealOn(1)])
    removePaid(parent.id, token)
    expect(cartDays()).toEqual(['1.1'])
  })

  test('names days, whatever is eaten on them by then', () => {
    rememberPaying(parent.id, token, [mealOn(1)])
    writeCart(parent.id, [{ ...mealOn(1), comments: 'no onions' }])
    removePaid(parent.id, token)
    expect(cartDays()).toEqual([])
  })
})

test.each([
  ['/', '/'],
  ['/?tab=cart#top', '/?tab=cart#top'],
  ['/a/../b', '/b'],
  ['https://school.test/', null],
  ['//evil.example', null],
  ['/\\evil.example', null],
  ['/\n/evil.example', null],
  ['/a/..//evil.example', null],
  ['/.//evil.example', null],
  ['/%2F/evil.example', '/%2F/evil.example'],
  ['javascript:alert(1)', null],
  ['tab', null],
  ['', null],
  [null, null],
])('the own path in %j is %j', (asked, path) => {
  expect(ownPath(asked, 'https://school.test')).toBe(path)
})
