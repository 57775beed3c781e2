import { render, screen } from '@testing-library/react'
import { CallError, UnexpectedReply } from '../../web/lib/call'
import { QueryResult } from '../../web/ui/query-result'

describe('an answer that cannot be read', () => {
  test.each([
    ['of another shape', new UnexpectedReply('Unexpected reply of /api/menu')],
    ['no JSON', new SyntaxError('Unexpected token < in JSON at position 0')],
    ["a proxy's page", new CallError(404, 'Not Found', '<html>Cannot GET /api/menu</html>')],
    ['an outage', new CallError(502, 'Bad Gateway', '<html>nginx</html>')],
  ])('%s, is told in words, without the address of a call', (_what, error) => {
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
})
