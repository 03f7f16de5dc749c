import type { JsonObject } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';

const LINE = /^\s*(?:\d+[.)]|[-*])?\s*\[(\w+)\]\s*(.*)$/;

/** Droid keeps its list as one text, a line an item: `1. [in_progress] first`. */
export function todosOf(text: string): JsonObject[] {
  return text.split('\n').flatMap((line) => {
    const [, status, content] = LINE.exec(line) ?? [];
    return status === undefined || content === undefined ? [] : [{ content, status }];
  });
}

export const todoText = (todos: unknown): string =>
  (Array.isArray(todos) ? todos.filter(isObject) : [])
    .map((todo, i) => `${i + 1}. [${textOf(todo, 'status') ?? 'pending'}] ${textOf(todo, 'content') ?? ''}`)
    .join('\n');
