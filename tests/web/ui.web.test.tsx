import { act, render, screen, renderHook, fireEvent } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { adminToast, toast, toastStore } from '../../web/lib/toast'
import { LeftOut } from '../../web/ui/left-out'
import { Pager } from '../../web/ui/paged-list'
import { RadioCards } from '../../web/ui/radio-cards'
import { useSelection } from '../../web/ui/selection'
import { Toasts } from '../../web/ui/toasts'
import { Tooltip, tooltipDelay } from '../../web/ui/tooltip'

const pass = (ms: number) => act(() => jest.advanceTimersByTime(ms))

describe('ui pager', () => {
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
})

describe('what a file leaves out', () => {
  const leftOut = [
    { row: 2, reason: 'balance: Opening Balance', amount: null },
    { row: 3, reason: 'money out', amount: 50 },
    { row: 4, reason: 'balance: Closing Balance', amount: null },
  ]

  test('is summed by reason; each sum opens its rows with what can be done', async () => {
    const act = (row: number) => <button type="button">{`Count ${row}`}</button>
    render(<LeftOut of={{ leftOut, leftOutCount: 3, notes: [] }} act={act} />)
    expect(screen.getByText('3 rows left out')).toBeInTheDocument()
    expect(screen.getAllByRole('group').map(({ firstChild }) => firstChild?.textContent)).toEqual([
      '2 balances',
      '1 money out',
    ])
    await userEvent.click(screen.getByText('1 money out'))
    expect(screen.getByText('Row 3: money out, K50.00')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Count 3' })).toBeVisible()
  })

  test('says when more rows are left out than are listed', () => {
    render(<LeftOut of={{ leftOut, leftOutCount: 230, notes: [] }} />)
    expect(screen.getByText('230 rows left out')).toBeInTheDocument()
    expect(screen.getByText('The first 3 are listed.')).toBeInTheDocument()
  })

  test('is no number where the file has notes alone', () => {
    const notes = ['Read as Windows-1250']
    const { container } = render(<LeftOut of={{ leftOut: [], leftOutCount: 0, notes }} />)
    expect(screen.getByText('Read as Windows-1250')).toBeInTheDocument()
    expect(container).toHaveTextContent('About this file')
    expect(container).not.toHaveTextContent('left out')
  })
})

test('a card is text throughout, described by its hint', () => {
  const options = [{ value: 'refund', label: 'Refund', hint: 'Due under Refund Management' }]
  render(<RadioCards label="Money" options={options} value="refund" onChange={() => undefined} />)
  const card = screen.getByRole('radio', { name: 'Refund', description: 'Due under Refund Management' })
  expect(card.querySelector('p, div')).toBeNull()
})

describe('ui selection', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id })) as [{ id: string }, { id: string }, { id: string }]

  const open = () => {
    const { result, rerender } = renderHook(({ listed }) => useSelection<{ id: string }>(listed), {
      initialProps: { listed: 'all' },
    })
    return {
      ids: () => [...result.current.chosen.keys()],
      toggle: (...rows: { id: string }[]) => act(() => result.current.toggle(rows)),
      choose: (...rows: { id: string }[]) => act(() => result.current.choose(rows)),
      clear: () => act(() => result.current.clear()),
      list: (listed: string) => rerender({ listed }),
    }
  }

  test('switches all on while some are off, and all off when all are on', () => {
    const selection = open()
    selection.toggle(a)
    selection.toggle(a, b)
    expect(selection.ids()).toEqual(['a', 'b'])
    selection.toggle(c)
    selection.toggle(a, b)
    expect(selection.ids()).toEqual(['c'])
  })

  test('can be replaced and cleared', () => {
    const selection = open()
    selection.toggle(a)
    selection.choose(b, c)
    expect(selection.ids()).toEqual(['b', 'c'])
    selection.clear()
    expect(selection.ids()).toEqual([])
  })

  test('another list forgets what was chosen, also when it changes back', () => {
    const selection = open()
    selection.toggle(a)
    selection.list('filtered')
    expect(selection.ids()).toEqual([])
    selection.list('all')
    expect(selection.ids()).toEqual([])
  })
})

describe('ui tooltip', () => {
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
})

describe('toasts', () => {
  beforeEach(() => {
    jest.useFakeTimers()
    render(<Toasts />)
  })
  afterEach(() => {
    act(() => jest.runAllTimers())
    jest.useRealTimers()
  })

  const tell = (title: string, more: object = {}) => act(() => toast({ title, ...more }))
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
})
