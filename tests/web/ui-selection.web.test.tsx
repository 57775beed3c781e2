import { act, renderHook } from '@testing-library/react'
import { useSelection } from '../../web/ui/selection'

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
