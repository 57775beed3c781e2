import type { bulkUpload } from '#contracts/catalogue'
import type { ReplyOf } from '#contracts/endpoint'
import { wholeNumber } from '../../lib/format'
import { Badge } from '../../ui/badge'

/** How an upload ended: how many rows were saved, those of items that were there already too, how many were not, and why. */
export const UploadResult = ({ result }: { result: ReplyOf<typeof bulkUpload> }) => (
  <div className="rounded-md border border-line bg-sand-50 p-4">
    <div className="flex flex-wrap items-center gap-2">
      <h3 className="mr-2 font-semibold">Upload result</h3>
      <Badge tone="brand" icon="check">
        {`${wholeNumber(result.successCount)} saved`}
      </Badge>
      <Badge
        tone={result.errorCount > 0 ? 'danger' : 'neutral'}
        icon={result.errorCount > 0 ? 'alert' : undefined}
      >
        {`${wholeNumber(result.errorCount)} with errors`}
      </Badge>
    </div>
    {result.errors.length > 0 ? (
      <ul className="mt-3 max-h-60 list-disc overflow-y-auto pl-5 text-sm text-danger-700">
        {result.errors.map((error, line) => (
          // oxlint-disable-next-line react/no-array-index-key -- a finished list; two rows may have the same error
          <li key={line}>{error}</li>
        ))}
      </ul>
    ) : null}
  </div>
)
