import { act, fireEvent, render, screen } from '@testing-library/react'
import { Tooltip, tooltipDelay } from '../../web/ui/tooltip'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

const draw = (delay?: number) => {
  render(
    <Tooltip text="What it does" delay={delay}>
      {(described) => (
        <button type="button" {...described}>
          Act
        </button>
      )}
    </Tooltip>,
  )
  const control = screen.getByRole('button')
  return { control, place: control.parentElement! }
}
const pass = (ms: number) => act(() => jest.advanceTimersByTime(ms))
const tip = () => screen.queryByRole('tooltip')

test.each([
  ['700 ms', undefined, 700],
  ['300 ms in the menu', tooltipDelay.menu, 300],
])('a pointer that rests sees it after %s, and it goes with the pointer', (_words, delay, ms) => {
  const { place } = draw(delay)
  fireEvent.mouseEnter(place)
  pass(ms - 1)
  expect(tip()).toBeNull()
  pass(1)
  expect(tip()!.textContent).toBe('What it does')
  pass(60_000)
  expect(tip()).not.toBeNull()
  fireEvent.mouseLeave(place)
  expect(tip()).toBeNull()
})

test('a pointer that only passes sees nothing', () => {
  const { place } = draw()
  fireEvent.mouseEnter(place)
  pass(600)
  fireEvent.mouseLeave(place)
  pass(1000)
  expect(tip()).toBeNull()
})

test('the focus shows it too, and the control is described by it', () => {
  const { control } = draw()
  fireEvent.focus(control)
  pass(700)
  expect(control.getAttribute('aria-describedby')).toBe(tip()!.id)
  fireEvent.blur(control)
  expect(tip()).toBeNull()
  expect(control).not.toHaveAttribute('aria-describedby')
})

test('Escape takes it away wherever the focus is', () => {
  const { place } = draw()
  fireEvent.mouseEnter(place)
  pass(700)
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(tip()).toBeNull()
})

test('under a finger it leaves by itself after 3 s', () => {
  const { place } = draw()
  fireEvent.touchStart(place)
  fireEvent.mouseEnter(place)
  pass(700)
  expect(tip()).not.toBeNull()
  pass(2999)
  expect(tip()).not.toBeNull()
  pass(1)
  expect(tip()).toBeNull()
})
