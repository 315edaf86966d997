import { Button, Group, Stack } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useParams } from 'react-router'
import { pageApi } from '../../contract/pages.ts'
import * as texts from '../../texts/generated/pageEditor.ts'
import { query, useCall } from '../api/query.ts'
import * as paths from '../paths.ts'
import { SaveButton } from '../ui/buttons/SaveButton.tsx'
import { StickyBar } from '../ui/buttons/StickyBar.tsx'
import { LeaveGuard } from '../ui/dialogs/LeaveGuard.tsx'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { showFieldErrors } from '../ui/forms/form-errors.ts'
import { SavingFields } from '../ui/forms/SavingFields.tsx'
import { MarkdownField } from '../ui/markdown/MarkdownField.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'

/** The operator's own text of a static page. */
export function StaticPageEditor() {
  const { type = '' } = useParams()
  const { data: page } = useSuspenseQuery(query(pageApi.getPage, { type }))
  const save = useCall(pageApi.save)
  const [isAsked, setAsked] = useState(false)
  const form = useForm({ defaultValues: { body: page.body } })
  const { errors, isDirty } = form.formState
  const saveAs = async (body: string) => {
    try {
      const saved = await save.mutateAsync({ type: page.type, body })
      form.reset({ body: saved.body })
    } catch (error) {
      showFieldErrors(form, error)
    }
  }
  return (
    <div className="page narrow">
      <PageTitle title={page.title} />
      <h1>{page.title}</h1>
      <form onSubmit={form.handleSubmit(({ body }) => saveAs(body))} noValidate>
        <LeaveGuard isDirty={isDirty} />
        <SavingFields isSaving={save.isPending}>
          <Stack className="card">
            <MarkdownField
              label={texts.text()}
              minRows={12}
              error={errors.body?.message}
              field={form.register('body')}
            />
            <Group>
              <Button component="a" href={paths.page(page.type)} variant="light">
                {texts.viewThePage()}
              </Button>
              {page.updatedAt && (
                <Button variant="subtle" onClick={() => setAsked(true)}>
                  {texts.restoreTheOriginalText()}
                </Button>
              )}
            </Group>
          </Stack>
          <StickyBar
            state={isDirty ? texts.unsaved() : save.isSuccess ? texts.saved() : texts.noChanges()}
            isFloating={isDirty}
          >
            <SaveButton isIdle={!isDirty} isSaving={save.isPending}>
              {texts.save()}
            </SaveButton>
          </StickyBar>
        </SavingFields>
      </form>
      <RemovalDialog
        title={texts.restoreTheOriginalText2()}
        action={texts.restoreIt()}
        isOpen={isAsked}
        isBusy={save.isPending}
        onConfirm={() => void saveAs('').finally(() => setAsked(false))}
        onClose={() => setAsked(false)}
      >
        <p>{isDirty ? texts.deletedUnsaved() : texts.deleted()}</p>
      </RemovalDialog>
    </div>
  )
}
