/**
 * What the person typed. In a headless run Gemini CLI puts the context of session-start hooks before the first prompt, in the
 * prompt itself, and escapes `<` and `>` in it: so the first closing tag is the one that it wrote.
 */
export const ownPrompt = (text: string): string => text.replace(/^<hook_context>[^<>]*<\/hook_context>\s*/, '');
