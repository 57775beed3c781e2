import { attemptsBegunView } from '#modules/payments/attempt/attempts-begun.view'
import { viewSpec } from '../support/view-spec'
import { happened } from './attempt-words'

const view = viewSpec(attemptsBegunView)

const begun = (number: number, kind: 'card' | 'free' | 'alternative') => ({
  ...happened.started,
  data: { ...happened.started.data, attemptId: `0199a9c5-0000-7000-8000-00000000000${number}`, kind },
})

test('each attempt is counted under its kind when it begins', () =>
  view.given(begun(1, 'card'), begun(2, 'free'), begun(3, 'card')).thenRows([
    { kind: 'card', begun: 2 },
    { kind: 'free', begun: 1 },
  ]))

test('what becomes of an attempt changes nothing in the count', () =>
  view.given(happened.started, happened.issued).thenRows([{ kind: 'card', begun: 1 }]))
