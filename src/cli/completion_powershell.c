#include "cli/completion.h"

#include <string.h>

#define ELLIPSIS "\xE2\x80\xA6"

/* An option is its text, the kind of its values ('words', 'file', 'directory' or ''), and the words. */
static const char head[] =
    "# Completion of isobench for PowerShell (5.1 and later), made by `isobench completion powershell`. To load it:\n"
    "#   isobench completion powershell | Out-String | Invoke-Expression\n"
    "Register-ArgumentCompleter -Native -CommandName 'isobench', 'isobench.exe' -ScriptBlock {\n"
    "    param($wordToComplete, $commandAst, $cursorPosition)\n"
    "    $commands = [ordered]@{\n";

static const char tail[] =
    "    }\n"
    "    function New-Answer([string]$text, [string]$tip) {\n"
    "        if ($tip -eq '') {\n"
    "            $tip = $text\n"
    "        }\n"
    "        [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $tip)\n"
    "    }\n"
    "    # Names of files or of directories alone, with the option in front of each.\n"
    "    function Get-Names([string]$start, [string]$value, [bool]$directories) {\n"
    "        $parent = $value -replace '[^\\\\/]*$', ''\n"
    "        Get-ChildItem -Path \"$value*\" -Directory:$directories -ErrorAction SilentlyContinue | ForEach-Object {\n"
    "            New-Answer ($start + $parent + $_.Name) $_.FullName\n"
    "        }\n"
    "    }\n"
    "    $before = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |\n"
    "            ForEach-Object { $_.Extent.Text })\n"
    "    $word = [string]$wordToComplete\n"
    "    if ($before.Count -le 1) {\n"
    "        $commands.Keys | Where-Object { $_.StartsWith($word) } | ForEach-Object {\n"
    "            New-Answer $_ $commands[$_].Text\n"
    "        }\n"
    "        return\n"
    "    }\n"
    "    $command = $commands[$before[1]]\n"
    "    if ($null -eq $command) {\n"
    "        return\n"
    "    }\n"
    "    # A value behind its option, with = or as the next word.\n"
    "    $option = ''\n"
    "    $start = ''\n"
    "    $value = $word\n"
    "    if ($word -match '^(--[^=]+)=(.*)$') {\n"
    "        $option = $Matches[1]\n"
    "        $start = \"$option=\"\n"
    "        $value = $Matches[2]\n"
    "    } elseif (-not $word.StartsWith('-') -and $before[-1].StartsWith('--')) {\n"
    "        $option = $before[-1]\n"
    "    }\n"
    "    $known = $command.Options[\"$option=\"]\n"
    "    if ($null -eq $known) {\n"
    "        $known = $command.Options[$option]\n"
    "    }\n"
    "    if ($null -ne $known -and $known[1] -ne '') {\n"
    "        if ($known[1] -ne 'words') {\n"
    "            Get-Names $start $value ($known[1] -eq 'directory')\n"
    "            return\n"
    "        }\n"
    "        if ($start -ne '' -or $known[2] -ne 'on') {\n"
    "            $known | Select-Object -Skip 2 | Where-Object { $_.StartsWith($value) } | ForEach-Object {\n"
    "                New-Answer ($start + $_) ''\n"
    "            }\n"
    "            return\n"
    "        }\n"
    "    }\n"
    "    if ($start -ne '') {\n"
    "        return\n"
    "    }\n"
    "    $command.Words | Where-Object { $_.StartsWith($word) } | ForEach-Object { New-Answer $_ '' }\n"
    "    $command.Options.Keys | Where-Object { $_.StartsWith($word) } | ForEach-Object {\n"
    "        New-Answer $_ $command.Options[$_][0]\n"
    "    }\n"
    "    if ($command.Files -and -not $word.StartsWith('-')) {\n"
    "        Get-Names '' $word $false\n"
    "    }\n"
    "}\n";

/* ASCII alone: Windows PowerShell 5.1 reads the output of programs in the console's code page. */
static void put_quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; ++text) {
        if (strncmp(text, ELLIPSIS, strlen(ELLIPSIS)) == 0) {
            fputs("...", out);
            text += strlen(ELLIPSIS) - 1;
        } else if (*text == '\'')
            fputs("''", out);
        else if ((unsigned char)*text < 0x80)
            fputc(*text, out);
        else if ((unsigned char)*text >= 0xC0)
            fputc('?', out);
    }
    fputc('\'', out);
}

/* 'a', 'b' of "a b". */
static void put_words(FILE *out, const char *words, const char *joint)
{
    while (*words) {
        size_t length = strcspn(words, " ");
        fprintf(out, "%s'%.*s'", joint, (int)length, words);
        words += length + (words[length] == ' ');
        joint = ", ";
    }
}

static void print_option(const struct help_book *book, const struct help_option *option, FILE *out)
{
    static const char *const kinds[] = {"", "words", "file", "directory", "words"};
    char words[512];
    if (option->is_family)
        return;
    fprintf(out, "                '%s%s' = @(", option->name, option->joint == '=' && !option->is_optional ? "=" : "");
    put_quoted(out, option->text);
    fprintf(out, ", '%s'", kinds[help_value_of(option->form)]);
    put_words(out, help_book_words(book, option, words, sizeof(words)), ", ");
    fputs(")\n", out);
}

static void print_command(const struct help_book *book, const struct help_chapter *chapter, FILE *out)
{
    char summary[256];
    const struct help_page *page = &chapter->page;
    fprintf(out, "        '%s' = @{\n            Text = ", page->name);
    put_quoted(out, completion_summary(chapter, summary, sizeof(summary)));
    fputs("\n            Words = @(", out);
    put_words(out, page->words, "");
    fprintf(out, ")\n            Files = $%s\n            Options = [ordered]@{\n",
            page->takes_file ? "true" : "false");
    for (size_t i = 0; i < page->option_count; ++i)
        print_option(book, &page->options[i], out);
    fputs("            }\n        }\n", out);
}

void completion_powershell(const struct help_book *book, FILE *out)
{
    fputs(head, out);
    for (size_t i = 0; i < book->count; ++i)
        print_command(book, &book->chapters[i], out);
    fputs(tail, out);
}
