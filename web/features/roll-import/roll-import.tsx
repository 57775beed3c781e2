import { type RenderLetters, useImportDraft } from './import-draft'
import { ImportResult } from './import-result'
import { LastImport } from './last-import'
import { ListPreview } from './preview/list-preview'
import { UploadCard } from './upload-card'

/** The school's own list becomes the roll: looked through first, then applied as it was shown (families.md section 4). */
export const RollImport = ({ letters }: { letters: RenderLetters }) => {
  const [draft, setDraft] = useImportDraft()
  const beginAnew = () => setDraft({ step: 'upload' })
  return (
    <div className="flex flex-col gap-5">
      {draft.step === 'upload' ? (
        <UploadCard
          onLooked={(file, preview) => setDraft({ step: 'preview', file, preview, decisions: {} })}
        />
      ) : null}
      {draft.step === 'preview' ? (
        <ListPreview
          key={draft.preview.id}
          draft={draft}
          onDraft={setDraft}
          onApplied={(result) => setDraft({ step: 'done', result })}
          onLeave={beginAnew}
        />
      ) : null}
      {draft.step === 'done' ? (
        <ImportResult result={draft.result} letters={letters} onAnother={beginAnew} />
      ) : null}
      <LastImport onUndone={beginAnew} />
    </div>
  )
}
