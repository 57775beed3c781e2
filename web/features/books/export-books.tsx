import { downloadFrom } from '../../lib/download'
import { Button } from '../../ui/button'
import { exportAddress } from './api'
import type { BookFilters } from './book-filters'

/** Hands out every entry that matches, with its number and hash in the chain, as a file the server writes. */
export const ExportBooks = ({ filters }: { filters: BookFilters }) => (
  <Button variant="secondary" icon="download" onClick={() => downloadFrom(exportAddress(filters))}>
    Export CSV
  </Button>
)
