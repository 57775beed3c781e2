import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { Pager } from '../../web/ui/paged-list'

const asked: number[] = []
/** A list of three pages, each of which takes its time. */
const List = () => {
  const [page, setPage] = useState(1)
  const [busy, setBusy] = useState(false)
  const onPage = (wanted: number) => {
    asked.push(wanted)
    setPage(wanted)
    setBusy(true)
  }
  return (
    <div data-testid="list">
      <Pager page={page} totalPages={3} busy={busy} onPage={onPage} />
      <button type="button" onClick={() => setBusy(false)}>
        It arrives
      </button>
    </div>
  )
}

const open = (top: number) => {
  asked.length = 0
  render(<List />)
  const list = screen.getByTestId('list')
  const scrolled = jest.fn()
  list.getBoundingClientRect = () => ({ top }) as DOMRect
  list.scrollIntoView = scrolled
  return { hands: userEvent.setup(), scrolled }
}
const button = (name: string) => screen.getByRole('button', { name })
const arrived = () => act(() => button('It arrives').click())

test('pages are turned by keyboard without losing the button, and one at a time', async () => {
  const { hands, scrolled } = open(-900)
  button('Next').focus()
  await hands.keyboard('{Enter}{Enter}')
  expect([asked, button('Next').hasAttribute('disabled')]).toEqual([[2], false])
  expect(button('Next')).toHaveFocus()
  arrived()
  await hands.keyboard('{Enter}')
  arrived()
  expect([asked, button('Next').hasAttribute('disabled')]).toEqual([[2, 3], true])
  expect(screen.getByText('Page 3 of 3')).toHaveFocus()
  await hands.tab({ shift: true })
  await hands.keyboard('{Enter}')
  arrived()
  expect(button('Previous')).toHaveFocus()
  await hands.keyboard('{Enter}')
  expect([asked, document.activeElement]).toEqual([[2, 3, 2, 1], screen.getByText('Page 1 of 3')])
  expect(scrolled).not.toHaveBeenCalled()
})

test.each([
  ['a long list is seen from its start', -900, [[{ block: 'start' }]]],
  ['a short one stays where it is', 80, []],
])('by pointer %s', async (_what, top, calls) => {
  const { hands, scrolled } = open(top)
  await hands.click(button('Next'))
  expect(asked).toEqual([2])
  expect(scrolled.mock.calls).toEqual(calls)
})
