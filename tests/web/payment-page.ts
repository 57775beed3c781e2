import { act, fireEvent, screen } from '@testing-library/react'
import { type CartItem, pricedAs, readCart } from '../../web/features/cart/cart'
import { openPortal } from './open-portal'
import { chanda, parent, stew } from './sample-family'

/** The provider's token of the payment that these pages are about. */
export const token = '6E0F1B2C-0000-4000-8000-000000000001'

export const attempt = (transactionStatus: 'initiated' | 'verified' | 'failed') => ({
  transactionId: token,
  transactionRef: 'LP-1',
  paymentAmount: 45,
  transactionStatus,
  errorDetails: null,
  isRecovered: false,
  declined: false,
  payBy: 'card' as const,
  prompt: null,
})

export const paid = { success: true as const, message: 'Transaction Paid', attention: [] as string[] }

export const unpaid = (TransactionStatus: string, Result = '904', declined = false) => ({
  success: false as const,
  message: 'Not paid',
  Result,
  ResultExplanation: 'Not paid',
  TransactionStatus,
  declined,
})

/** Chanda's stew on this day of week 2. */
export const mealOn = (dayOfWeek: number, { id, name, grade } = chanda): CartItem => ({
  ...pricedAs(stew),
  weekNumber: 2,
  dayOfWeek,
  studentId: id,
  student: { id, name, grade },
  category: 'beef',
  sideDish: 'rice',
  comments: '',
})

/** What is in the cart, as student and day. */
export const cartDays = () =>
  readCart(parent.id).map(({ studentId, dayOfWeek }) => `${studentId}.${dayOfWeek}`)

export const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))

/** Opens an address; pages are fetched when first shown, which no timer measures, and from there on 50 ms pass. */
export const openPage = async (address: string, user: Parameters<typeof openPortal>[1] = parent) => {
  await openNow(address, user)
  await pass(50)
}

/** The same, ending in the very moment in which the page is first shown. */
export const openNow = async (address: string, user: Parameters<typeof openPortal>[1] = parent) => {
  openPortal(address, user)
  await passUntil(() => screen.queryByRole('heading', { level: 1 }) !== null)
}

/** Lets time pass up to the very moment in which this is the title of the page. */
export const passUntilTitle = async (title: string) => {
  await passUntil(() => heading() === title)
  expect(heading()).toBe(title)
}

// What is on its way is drawn before the clock moves on, so that what the drawing starts is counted from there.
const passUntil = async (isSo: () => boolean) => {
  for (let ms = 0; ms < 1000 && !isSo(); ms += 1) {
    await pass(1)
    await pass(0)
  }
}

export const heading = () => screen.getByRole('heading', { level: 1 }).textContent
export const pressNow = async (name: string) => {
  fireEvent.click(screen.getByRole('button', { name }))
  await pass(50)
}
