import { lunchMarksView } from '#modules/ordering/hatch/serving.routes'
import { orderPaymentConfirmed } from '#modules/ordering/slot/events'
import { viewSpec } from '../support/view-spec'
import { absent, given, noon, problem, standing, takenBack } from './hatch-words'
import { after } from './lunches'
import { first } from './slot-words'

const marks = (...events: Parameters<ReturnType<typeof viewSpec>['given']>) =>
  viewSpec(lunchMarksView).given(...events)
const row = (more: object) => [
  {
    order_id: first,
    date: '2026-09-15',
    given: null,
    noticed: null,
    changed_at: noon.toISOString(),
    ...more,
  },
]
const later = after(noon, 5)

test('a lunch that was given out', () =>
  marks(given(1)).thenRows(row({ given: { ...standing(1, 'given'), note: null } })))
test('a child that did not come', () =>
  marks(absent(1)).thenRows(row({ noticed: { ...standing(1, 'absent'), note: null } })))
test('a problem with its note', () =>
  marks(problem(1, { note: 'dropped' })).thenRows(
    row({ noticed: { ...standing(1, 'problem'), note: 'dropped' } }),
  ))
test('what was noticed before stays under what was given, and stands again when that is taken back', () =>
  marks(absent(1), given(2), takenBack(2, 3, { at: later })).thenRows(
    row({ noticed: { ...standing(1, 'absent'), note: null }, changed_at: later.toISOString() }),
  ))
test('what was beaten can be taken out', () =>
  marks(problem(1), given(2), takenBack(1, 3)).thenRows(
    row({ given: { ...standing(2, 'given'), note: null } }),
  ))
test('that it was paid changes the lunch, not its marks', () => {
  const paid = orderPaymentConfirmed({ orderId: first, at: later.toISOString() })
  marks(paid).thenRows(row({ changed_at: later.toISOString() }))
  marks(given(1), paid).thenRows(
    row({ given: { ...standing(1, 'given'), note: null }, changed_at: later.toISOString() }),
  )
})
