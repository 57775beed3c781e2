import { useMutation } from '@tanstack/react-query'
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { keptPicture, maxPicture } from '#contracts/pictures'
import { messageOf } from '../../../lib/call'
import { classes } from '../../../lib/classes'
import { Button } from '../../../ui/button'
import { FieldError } from '../../../ui/field'
import { FormField } from '../../../ui/form'
import { uploadedPicture } from '../api'
import { ItemPicture } from '../item-text'
import type { ItemValues } from './item-values'

export const PictureField = () => {
  const {
    setValue,
    formState: { errors, dirtyFields },
  } = useFormContext<ItemValues>()
  const imageUrl = useWatch<ItemValues, 'imageUrl'>({ name: 'imageUrl' })
  const { take, busy, problem } = useUpload((address) => setValue('imageUrl', address, { shouldDirty: true }))
  const drop = useDrop(take)
  const uploaded = keptPicture(imageUrl) !== null
  return (
    <section
      aria-label="Picture"
      {...drop.target}
      className={classes(
        'grid gap-4 rounded-md border border-dashed p-4 sm:grid-cols-[auto_1fr]',
        drop.over ? 'border-brand-700 bg-brand-50' : 'border-sand-400',
      )}
    >
      <ItemPicture url={imageUrl} sizes="192px" className="aspect-4/3 w-full sm:w-48" />
      <div className="flex min-w-0 flex-col gap-3">
        <FileButton busy={busy} replaces={Boolean(imageUrl)} onFile={take}>
          {imageUrl ? (
            <Button
              variant="ghost"
              icon="trash"
              disabled={busy}
              onClick={() => setValue('imageUrl', '', { shouldDirty: true, shouldValidate: true })}
            >
              Remove Picture
            </Button>
          ) : null}
        </FileButton>
        <p aria-live="polite" className="text-sm text-muted">
          {busy ? 'Uploading the picture. It is made ready for phones …' : null}
          {!busy && uploaded && dirtyFields.imageUrl
            ? 'Uploaded. Save the item to show it on the menu.'
            : null}
        </p>
        {busy ? <progress aria-label="Uploading the picture" className="progress" /> : null}
        <FieldError
          id="picture-problem"
          message={problem ?? (uploaded ? errors.imageUrl?.message : undefined)}
        />
        {uploaded ? null : (
          <FormField
            name="imageUrl"
            label="Image URL (optional)"
            type="url"
            inputMode="url"
            placeholder="https://"
            disabled={busy}
          />
        )}
      </div>
    </section>
  )
}

/** Older uploads are ignored. */
const useUpload = (onUploaded: (imageUrl: string) => void) => {
  const sending = useMutation(uploadedPicture)
  const [problem, setProblem] = useState<string | null>(null)
  const newest = useRef<File | null>(null)
  const take = async (file: File) => {
    newest.current = file
    setProblem(null)
    if (file.size > maxPicture.bytes)
      return setProblem('This picture has more than 8 MB. Choose a smaller one.')
    try {
      const { imageUrl } = await sending.mutateAsync(file)
      if (newest.current === file) onUploaded(imageUrl)
    } catch (error) {
      if (newest.current === file) setProblem(wordsOf(error))
    }
  }
  return { take: (file: File) => void take(file), busy: sending.isPending, problem }
}

const wordsOf = (error: unknown) =>
  messageOf(
    error,
    'The picture could not be uploaded. Please try again.',
    'No answer. Please check your connection and choose the picture again.',
  )

const useDrop = (onFile: (file: File) => void) => {
  const [over, setOver] = useState(false)
  const target = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      const [file] = event.dataTransfer.files
      if (file) onFile(file)
    },
  }
  return { over, target }
}

type FileButtonProps = {
  busy: boolean
  replaces: boolean
  onFile: (file: File) => void
  children: ReactNode
}

/** Phones also offer the camera. */
const FileButton = ({ busy, replaces, onFile, children }: FileButtonProps) => {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  return (
    <div>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          variant="secondary"
          icon="upload"
          busy={busy}
          busyLabel="Uploading..."
          aria-describedby={`${id}-hint`}
          onClick={() => input.current?.click()}
        >
          {replaces ? 'Choose Another Picture' : 'Choose Picture'}
        </Button>
        {children}
      </div>
      <input
        ref={input}
        type="file"
        accept="image/jpeg,image/png,image/webp"
        aria-label="Picture file"
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          const file = target.files?.[0]
          // Allows choosing the same file after a failure.
          target.value = ''
          if (file) onFile(file)
        }}
      />
      <p id={`${id}-hint`} className="mt-1.5 text-xs text-muted">
        JPEG, PNG or WebP, up to 8 MB. You can also drop one here.
      </p>
    </div>
  )
}
