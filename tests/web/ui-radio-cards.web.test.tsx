import { render, screen } from '@testing-library/react'
import { RadioCards } from '../../web/ui/radio-cards'

test('a card is text throughout, described by its hint', () => {
  const options = [{ value: 'refund', label: 'Refund', hint: 'Due under Refund Management' }]
  render(<RadioCards label="Money" options={options} value="refund" onChange={() => undefined} />)
  const card = screen.getByRole('radio', { name: 'Refund', description: 'Due under Refund Management' })
  expect(card.querySelector('p, div')).toBeNull()
})
