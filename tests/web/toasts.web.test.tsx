import { act, fireEvent, render, screen } from '@testing-library/react'
import { adminToast, toast, toastStore } from '../../web/lib/toast'
import { Toasts } from '../../web/ui/toasts'

beforeEach(() => {
  jest.useFakeTimers()
  render(<Toasts />)
})
afterEach(() => {
  act(() => jest.runAllTimers())
  jest.useRealTimers()
})

const tell = (title: string, more: object = {}) => act(() => toast({ title, ...more }))
const pass = (ms: number) => act(() => jest.advanceTimersByTime(ms))
const state = (title: string) =>
  screen.queryByText(title)?.closest('[data-state]')?.getAttribute('data-state') ?? 'unseen'

test('stays 3000 ms, fades for 300 ms, and leaves the list 3 s after it was dismissed', () => {
  tell('Saved', { text: 'All of it' })
  expect(screen.getByText('All of it')).toBeInTheDocument()
  pass(2999)
  expect(state('Saved')).toBe('shown')
  pass(1)
  expect(state('Saved')).toBe('leaving')
  pass(299)
  expect(state('Saved')).toBe('leaving')
  pass(1)
  expect(state('Saved')).toBe('unseen')
  pass(2699)
  expect(toastStore.read()).toHaveLength(1)
  pass(1)
  expect(toastStore.read()).toHaveLength(0)
})

test('only one at a time: the new one takes the place and has all its time', () => {
  tell('First')
  pass(2000)
  tell('Second')
  expect(state('First')).toBe('unseen')
  pass(2999)
  expect(state('Second')).toBe('shown')
  pass(1)
  expect(state('Second')).toBe('leaving')
})

test('a duration of its own, and the five seconds of administrators', () => {
  tell('Longer', { duration: 4000 })
  pass(3999)
  expect(state('Longer')).toBe('shown')
  act(() => adminToast({ title: 'For the office' }))
  pass(4999)
  expect(state('For the office')).toBe('shown')
  pass(1)
  expect(state('For the office')).toBe('leaving')
})

test('can be dismissed by hand', () => {
  tell('Saved')
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(state('Saved')).toBe('leaving')
})

test('waits while a pointer or the focus rests on it', () => {
  tell('Read me')
  const card = screen.getByText('Read me').closest('[data-state]')!
  fireEvent.mouseEnter(card)
  pass(10_000)
  expect(state('Read me')).toBe('shown')
  fireEvent.mouseLeave(card)
  pass(3000)
  expect(state('Read me')).toBe('leaving')
})

test('an error is announced at once, anything else when there is time', () => {
  tell('Error', { kind: 'error' })
  expect(screen.getByRole('alert').textContent).toContain('Error')
  tell('Saved')
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  expect(screen.getByText('Saved').closest('[aria-live="polite"]')).toBeTruthy()
})

test('F8 leads to it from anywhere, Escape dismisses it, and the focus is back where it was', () => {
  render(<input aria-label="Name" />)
  const field = screen.getByLabelText('Name')
  act(() => field.focus())
  tell('Read me')
  fireEvent.keyDown(field, { key: 'F8' })
  const dismiss = screen.getByRole('button', { name: 'Dismiss' })
  expect(dismiss).toHaveFocus()
  pass(10_000)
  expect(state('Read me')).toBe('shown')
  const isUnheard = fireEvent.keyDown(dismiss, { key: 'Escape' })
  expect(isUnheard).toBe(false)
  expect(state('Read me')).toBe('leaving')
  expect(field).toHaveFocus()
})

test('an error looks like none of the others', () => {
  const looks = (['success', 'info', 'warning', 'error'] as const).map((kind) => {
    tell('Told', { kind })
    return screen.getByText('Told').closest('[data-state]')!.className
  })
  expect(new Set(looks).size).toBe(4)
})

test('what cannot be seen is not there: nothing without a notification, nothing after it left', () => {
  expect(screen.queryByRole('button', { name: 'Dismiss' })).not.toBeInTheDocument()
  tell('Saved')
  pass(3300)
  expect(screen.queryByRole('button', { name: 'Dismiss' })).not.toBeInTheDocument()
})
