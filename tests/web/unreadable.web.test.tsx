import { render, screen } from '@testing-library/react'
import { UnexpectedReply } from '../../web/lib/call'
import { QueryResult } from '../../web/ui/query-result'

test('a reading that cannot be understood is told in words, without the address of a call', () => {
  const error = new UnexpectedReply('Unexpected reply of /api/menu')
  const query = { data: undefined, error, isFetching: false, refetch: () => undefined }
  render(
    <QueryResult query={query} failure="Failed to load the menu">
      {() => null}
    </QueryResult>,
  )
  expect(screen.getByRole('alert')).toHaveTextContent(
    'Failed to load the menuThe answer could not be read. Please check your connection and try again.',
  )
})
